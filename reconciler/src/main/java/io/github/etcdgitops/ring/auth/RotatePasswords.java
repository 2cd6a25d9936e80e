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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Gives users the password that a higher number in the documents asks for. etcd keeps one password a user:
/// from the change on, the former one is refused, and clients must have read the new one from the Secret.
/// Connections that are signed in sign in again.
///
/// `root` comes first, which is ours. Its next password is written down beside the former one before the ring
/// gets it, and the former one is forgotten once `root` has signed in with the next: whoever needs `root` tries
/// both, so that a killed run locks nobody out.
///
/// Those who have their passwords from elsewhere now no longer need our Secret: it is removed (`replaced`).
///
/// A failure leaves some users with the new password; the next run changes the others. `before` is what the
/// journal says of users and passwords until then.
public record RotatePasswords(
        ClusterRef ref,
        Optional<Root> root,
        SortedMap<String, User.SignIn.Password> users,
        SortedSet<String> replaced,
        Journal.Users before)
        implements Operation {
    public RotatePasswords {
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        replaced = Collections.unmodifiableSortedSet(new TreeSet<>(replaced));
    }

    /// The number that asks for another password of `root`. `lost` says that the one in its Secret is of no use,
    /// while its certificate works.
    public record Root(int number, boolean lost) {}

    @Override
    public String kind() {
        return "RotatePasswords";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        var requests = new ArrayList<RequestedBy>();
        root.ifPresent(_ -> requests.add(RequestedBy.Part.AUTH));
        if (!users.isEmpty()) {
            requests.add(new RequestedBy.Accounts(users.keySet(), Set.of()));
        }
        return List.copyOf(requests);
    }

    @Override
    public String target() {
        var numbers = new ArrayList<String>();
        root.ifPresent(r -> numbers.add(User.ROOT + "=" + r.number() + (r.lost() ? " lost" : "")));
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
        return root.filter(Root::lost).isPresent()
                ? "root cannot sign in with the password in its Secret"
                        + (users.isEmpty() ? "" : "; the documents ask for another password of users")
                : "the documents ask for another password";
    }

    @Override
    public String summary() {
        return "change the password of "
                + Stream.concat(root.map(_ -> User.ROOT).stream(), users.keySet().stream())
                        .collect(Collectors.joining(", "));
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        root.ifPresent(r -> {
            steps.add(new AuthStep.ChangeRootPassword(r.number()));
            // At once: a failure below must not change it again.
            steps.add(new AuthStep.NoteUsers(afterRoot()));
        });
        users.forEach((user, password) -> steps.add(new AuthStep.ChangePassword(user, password)));
        if (!replaced.isEmpty()) {
            steps.add(new AuthStep.RemoveSecrets(replaced));
        }
        if (!users.isEmpty()) {
            steps.add(new AuthStep.NoteUsers(after()));
        }
        return List.copyOf(steps);
    }

    private Journal.Users afterRoot() {
        var numbers = new TreeMap<>(before.passwords());
        root.ifPresent(r -> numbers.put(User.ROOT, r.number()));
        return new Journal.Users(before.applied(), numbers, before.secrets());
    }

    private Journal.Users after() {
        var numbers = new TreeMap<>(afterRoot().passwords());
        users.forEach((user, password) -> numbers.put(user, password.number()));
        return new Journal.Users(before.applied(), numbers, SecretChanges.without(before.secrets(), replaced));
    }
}
