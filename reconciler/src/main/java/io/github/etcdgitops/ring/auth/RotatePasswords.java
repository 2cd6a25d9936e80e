package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Gives users the password that a higher number in the documents asks for. etcd keeps one password a user:
/// from the change on, the former one is refused, and clients must have read the new one from the Secret.
/// Connections that are signed in sign in again.
///
/// Those who have their passwords from elsewhere now no longer need our Secret: it is removed (`replaced`).
///
/// A failure leaves some users with the new password; the next run changes the others.
public record RotatePasswords(
        ClusterRef ref,
        SortedMap<String, User.SignIn.Password> users,
        SortedSet<String> replaced,
        Journal.Users after)
        implements Operation {
    public RotatePasswords {
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        replaced = Collections.unmodifiableSortedSet(new TreeSet<>(replaced));
    }

    @Override
    public String kind() {
        return "RotatePasswords";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(new RequestedBy.Accounts(users.keySet(), Set.of()));
    }

    @Override
    public String target() {
        var numbers = new ArrayList<String>();
        users.forEach((user, password) -> numbers.add(user + "=" + password.number()));
        return "passwords " + String.join(" ", numbers);
    }

    @Override
    public Resolved resolved() {
        return UserText.secrets(users)
                .and("replaced", Optional.of(List.copyOf(replaced)).filter(names -> !names.isEmpty()));
    }

    @Override
    public Risk risk() {
        return Risk.MEDIUM;
    }

    @Override
    public String reason() {
        return "the documents ask for another password";
    }

    @Override
    public String summary() {
        return "change the password of " + String.join(", ", users.keySet());
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        users.forEach((user, password) -> steps.add(new AuthStep.ChangePassword(user, password)));
        if (!replaced.isEmpty()) {
            steps.add(new AuthStep.RemoveSecrets(replaced));
        }
        steps.add(new AuthStep.NoteUsers(after));
        return List.copyOf(steps);
    }
}
