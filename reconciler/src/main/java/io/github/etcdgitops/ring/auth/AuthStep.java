package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Steps that change who may read and write a ring. No member restarts. No step carries a password.
public sealed interface AuthStep extends Step {
    /// How many users a text names.
    int SHOWN = 6;

    private static Duration forMany(int calls) {
        return Duration.ofMinutes(2).plusSeconds(calls);
    }

    /// Notes in the journal that the ring has users, or which ones it has now.
    record NoteUsers(Journal.Users users) implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("NoteUsers", Gate.NONE).undo("changes nothing in the ring");
        }

        @Override
        public String text(ClusterRef ref) {
            if (users.applied().users().isEmpty()) {
                return "Note in the journal of " + ref.name() + " that it gets users and roles";
            }
            return "Note in the journal of " + ref.name() + " its users and roles"
                    + (users.applied().enabled() ? "" : ", and that authentication is not enabled");
        }
    }

    /// Makes the user `root`, with a generated password in the Secret `NAME-root-auth`. While authentication
    /// is enabled, only `root` itself can do that.
    record MakeRoot() implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("MakeRoot", Gate.EXPECTED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Make the user root, with the password in the Secret " + ref.name() + "-root-auth";
        }
    }

    /// Carries out the changes in this order. `passwords` tells where the password of each user comes from that
    /// is changed and has one. etcd takes a tenth of a second for each password.
    record ChangeUsers(List<AuthChange> changes, SortedMap<String, User.SignIn.Password> passwords)
            implements AuthStep {
        private static final int CHANGES_SHOWN = 4;

        public ChangeUsers {
            changes = List.copyOf(changes);
            passwords = Collections.unmodifiableSortedMap(new TreeMap<>(passwords));
        }

        @Override
        public Facts facts() {
            return Facts.of("ChangeUsers", Gate.EXPECTED)
                    .undo(
                            changes.stream().anyMatch(change -> change instanceof AuthChange.DeleteUser)
                                    ? "by making the users again, with other passwords"
                                    : "yes")
                    .within(forMany(changes.size()));
        }

        @Override
        public String text(ClusterRef ref) {
            return capital(Few.of(changes.stream().map(AuthChange::text).toList(), CHANGES_SHOWN));
        }

        private static String capital(String text) {
            return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        }
    }

    /// Sets the passwords of users that exist already to those in their Secrets. Who makes users before authentication
    /// is enabled may have changed or lost a Secret since, and etcd checks no password before.
    record SetPasswords(SortedMap<String, User.SignIn.Password> users) implements AuthStep {
        public SetPasswords {
            users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        }

        @Override
        public Facts facts() {
            return Facts.of("SetPasswords", Gate.EXPECTED)
                    .undo("not needed: nobody signs in yet")
                    .within(forMany(users.size()));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Set the passwords of " + Few.of(users.keySet(), SHOWN) + " to those in their Secrets";
        }
    }

    /// Writes into the Secrets of these users how to connect, where they say something else. The passwords in
    /// them stay.
    record WriteSecrets(SortedSet<String> users) implements AuthStep {
        public WriteSecrets {
            users = Collections.unmodifiableSortedSet(new TreeSet<>(users));
        }

        @Override
        public Facts facts() {
            return Facts.of("WriteSecrets", Gate.UNSUSPENDED).undo("yes").within(forMany(users.size()));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Write how to connect to " + ref.name() + " into the Secrets of " + Few.of(users, SHOWN);
        }
    }

    /// Removes our Secrets of these users, who no longer sign in with the passwords in them. A user that the
    /// documents no longer have must be gone from the ring.
    record RemoveSecrets(SortedSet<String> users) implements AuthStep {
        public RemoveSecrets {
            users = Collections.unmodifiableSortedSet(new TreeSet<>(users));
        }

        @Override
        public Facts facts() {
            return Facts.of("RemoveSecrets", Gate.UNSUSPENDED)
                    .undo("no: the passwords in them serve nobody any more")
                    .within(forMany(users.size()));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Remove the Secrets of " + Few.of(users, SHOWN);
        }
    }

    /// From now on members refuse clients that do not sign in. `root` must be able to.
    record SwitchOn() implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("SwitchOn", Gate.GREEN)
                    .undo("by DisableAuth; clients that are no users lose access at once");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Enable authentication in " + ref.name() + ": clients that are no users lose access now";
        }
    }

    /// From now on every client that reaches a member may read and write all keys.
    record SwitchOff() implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("SwitchOff", Gate.GREEN).undo("by EnableAuth");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Disable authentication in " + ref.name() + ": every client that reaches it may use all keys now";
        }
    }

    /// Signs in as each of these users, and as `root`, at one member.
    record ProveSignIns(SortedMap<String, User.SignIn.Password> users) implements AuthStep {
        public ProveSignIns {
            users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        }

        @Override
        public Facts facts() {
            return Facts.of("ProveSignIns", Gate.NONE).undo("changes nothing").within(forMany(users.size()));
        }

        @Override
        public String text(ClusterRef ref) {
            var names = new TreeSet<>(users.keySet());
            names.add(User.ROOT);
            return "Sign in as " + Few.of(names, SHOWN);
        }
    }

    /// Gives `root` another password: written down beside the former one, set in the ring, proven by a sign-in,
    /// and only then the former one is forgotten.
    record ChangeRootPassword(int number) implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("ChangeRootPassword", Gate.EXPECTED)
                    .undo("no: the former password is gone")
                    .within(forMany(0));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Change the password of root to number " + number + ", in the Secret " + ref.name() + "-root-auth";
        }
    }

    /// Gives the user the next password: written into its Secret, then set in the ring. In between, a client
    /// that reads the Secret fails to sign in.
    record ChangePassword(String user, User.SignIn.Password password) implements AuthStep {
        @Override
        public Facts facts() {
            return Facts.of("ChangePassword", Gate.EXPECTED).undo("no: the former password is gone");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Change the password of the user " + user + " to number " + password.number()
                    + ": from then on the former one is refused";
        }
    }
}
