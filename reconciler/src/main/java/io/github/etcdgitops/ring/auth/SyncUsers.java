package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Makes the users and roles of a ring those of the documents: what gives access first, what takes it last.
///
/// Applies where they differ, also before authentication is enabled, and where the Secrets of users say something
/// outdated about how to connect, or are of users that are gone. Where nothing differs, it notes the moment, from
/// which on runs need not read them. `others` says whether someone else changed users
/// or roles. A failure leaves a part of the changes done; the next run does the rest.
public record SyncUsers(
        ClusterRef ref,
        Auth wanted,
        UserChanges changes,
        SecretChanges secrets,
        Optional<Journal.Users> known,
        boolean others)
        implements Operation {
    @Override
    public String kind() {
        return "SyncUsers";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return wanted.exclusive() && !changes.takes().isEmpty()
                ? List.of(RequestedBy.Part.AUTH, accounts())
                : List.of(accounts());
    }

    /// Who loses a Secret is among them.
    private RequestedBy.Accounts accounts() {
        var changed = changes.requestedBy();
        var users = new TreeSet<>(changed.users());
        users.addAll(secrets.removed());
        return new RequestedBy.Accounts(users, changed.roles());
    }

    @Override
    public String target() {
        return "users and roles";
    }

    @Override
    public Resolved resolved() {
        return UserText.of(wanted)
                .and("connection", Optional.of(secrets.connection()).filter(_ -> !secrets.none()))
                .and("removed", Optional.of(List.copyOf(secrets.removed())).filter(names -> !names.isEmpty()));
    }

    @Override
    public Risk risk() {
        return changes.takes().isEmpty() ? Risk.LOW : Risk.MEDIUM;
    }

    @Override
    public String reason() {
        if (others) {
            return "users or roles were changed by hand";
        }
        if (!changes.none()) {
            return "the users and roles of the ring are not those of the documents";
        }
        return secrets.none()
                ? "the journal does not say since when the users, roles and passwords of the ring are the same"
                : "the Secrets of users do not say how to connect now, or are of users that are gone";
    }

    @Override
    public String summary() {
        if (changes.none()) {
            return secrets.none()
                    ? "note that the users and roles are those of the documents"
                    : "bring the Secrets of users up to date";
        }
        return "make " + Count.of(changes.gives().size() + changes.takes().size(), "change")
                + " of users and roles"
                + (changes.takes().isEmpty() ? "" : ", " + changes.takes().size() + " of which take access");
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        var passwords = DesiredUsers.passwords(wanted);
        steps.addAll(changes.steps(passwords));
        steps.addAll(secrets.steps());
        steps.add(new AuthStep.NoteUsers(DesiredUsers.noted(wanted, known, secrets.after())));
        passwords.keySet().retainAll(added());
        // Before authentication is enabled, etcd checks no password.
        if (wanted.enabled() && !passwords.isEmpty()) {
            steps.add(new AuthStep.ProveSignIns(passwords));
        }
        return List.copyOf(steps);
    }

    private List<String> added() {
        var added = new ArrayList<String>();
        for (var list : List.of(changes.gives(), changes.takes())) {
            for (var change : list) {
                if (change instanceof AuthChange.AddUser(String user)) {
                    added.add(user);
                }
            }
        }
        return added;
    }
}
