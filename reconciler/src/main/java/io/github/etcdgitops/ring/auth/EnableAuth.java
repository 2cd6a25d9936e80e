package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Enables etcd's authentication, once the users and roles of the documents exist: `root` first, which is
/// ours, then the others. No member restarts.
///
/// Applies where the documents ask for it and it is not enabled. Clients that are no users lose access when
/// it is. A failure before that leaves users and roles which nobody needs yet; the next run continues.
public record EnableAuth(
        ClusterRef ref,
        Auth wanted,
        UserChanges changes,
        SecretChanges secrets,
        Optional<Journal.Users> known,
        Tls tls,
        Authorities trusted)
        implements Operation {
    @Override
    public String kind() {
        return "EnableAuth";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(
                RequestedBy.Part.AUTH,
                new RequestedBy.Accounts(wanted.users().keySet(), wanted.roles().keySet()));
    }

    @Override
    public String target() {
        return "authentication enabled";
    }

    @Override
    public Resolved resolved() {
        return UserText.of(wanted);
    }

    @Override
    public Risk risk() {
        return Risk.HIGH;
    }

    @Override
    public String reason() {
        return "the documents ask for users and roles, and every client may use all keys";
    }

    @Override
    public String summary() {
        return "enable authentication with " + Count.of(wanted.users().size(), "user") + " and "
                + Count.of(wanted.roles().size(), "role");
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new AuthStep.NoteUsers(DesiredUsers.begun(known)));
        if (tls.transport().client().secured()) {
            steps.add(new TlsStep.IssueCertificates(tls, trusted, true));
        }
        steps.add(new AuthStep.MakeRoot());
        var passwords = DesiredUsers.passwords(wanted);
        steps.addAll(changes.steps(passwords));
        var others = new TreeMap<>(passwords);
        others.keySet().removeAll(changes.withPasswords());
        if (!others.isEmpty()) {
            steps.add(new AuthStep.SetPasswords(others));
        }
        steps.addAll(secrets.steps());
        steps.add(new AuthStep.SwitchOn());
        steps.add(new AuthStep.NoteUsers(DesiredUsers.noted(wanted, known, secrets.after())));
        steps.add(new AuthStep.ProveSignIns(passwords));
        return List.copyOf(steps);
    }
}
