package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Passwords that stay although the documents seem to ask for others: only a higher number changes one.
record PasswordFindings(Auth wanted, Journal.Users known) {
    private static final int NAMED = 5;

    List<Finding> all() {
        var lower = new ArrayList<String>();
        var elsewhere = new ArrayList<String>();
        lower(User.ROOT, wanted.rootNumber()).ifPresent(lower::add);
        DesiredUsers.passwords(wanted).forEach((user, password) -> {
            lower(user, password.number()).ifPresent(lower::add);
            moved(user, password).ifPresent(elsewhere::add);
        });
        var findings = new ArrayList<Finding>();
        if (!lower.isEmpty()) {
            findings.add(kept("a lower number changes no password: " + Few.of(lower, NAMED)
                    + ". Write the number that it has, or a higher one for another password"));
        }
        if (!elsewhere.isEmpty()) {
            findings.add(kept("a password from another place needs a higher number; until then these keep theirs: "
                    + Few.of(elsewhere, NAMED)));
        }
        return findings;
    }

    private Optional<String> lower(String user, int number) {
        return Optional.ofNullable(known.passwords().get(user))
                .filter(has -> number < has)
                .map(has -> user + " (" + number + ", and has " + has + ")");
    }

    /// Where the journal does not know our Secrets, nothing can be said.
    private Optional<String> moved(String user, SignIn.Password password) {
        boolean same = Optional.ofNullable(known.passwords().get(user))
                .filter(has -> has == password.number())
                .isPresent();
        return known.secrets()
                .map(UserSecrets::users)
                .filter(ours -> same && ours.contains(user) != password.secret().isEmpty())
                .map(ours -> user + " ("
                        + (ours.contains(user) ? "of the Secret that we generated" : "of a Secret of yours")
                        + ", number " + password.number() + ")");
    }

    private static Finding kept(String message) {
        return new Finding(Level.WARNING, FindingCode.PASSWORD_KEPT, message);
    }
}
