package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the documents ask of a ring's authentication, beside what it is. Where our identity may not read
/// users and roles, those of the journal count.
public record Authentication(List<Operation> operations, List<Finding> findings) {
    public Authentication {
        operations = List.copyOf(operations);
        findings = List.copyOf(findings);
    }

    public static Authentication of(EtcdClusterSpec spec, RingState ring, Journal journal) {
        var planning = new Planning(spec, ring, journal, journal.past().auth(), new ArrayList<>());
        return new Authentication(planning.operations(), planning.findings());
    }

    /// Those before all other changes: they restart no member.
    public List<Operation> first() {
        return operations.stream().filter(operation -> !isLast(operation)).toList();
    }

    /// Those after all other changes: they may wait for an approval, and nothing depends on them.
    public List<Operation> last() {
        return operations.stream().filter(Authentication::isLast).toList();
    }

    private static boolean isLast(Operation operation) {
        return operation instanceof EnableAuth || operation instanceof DisableAuth;
    }

    /// Methods may add to `findings`.
    private record Planning(
            EtcdClusterSpec spec,
            RingState ring,
            Journal journal,
            Optional<Journal.Users> known,
            List<Finding> findings) {
        private static final int NAMED = 5;

        List<Operation> operations() {
            var root = root();
            root.finding().ifPresent(findings::add);
            if (spec.auth().isEmpty()) {
                unasked();
                return List.of();
            }
            var wanted = DesiredUsers.complete(spec.auth().get(), known);
            held(wanted);
            known.ifPresent(k -> findings.addAll(new PasswordFindings(wanted, k).all()));
            wide(wanted);
            if (root.lockedOut() || tooOld()) {
                return List.of();
            }
            var have = have();
            if (have.isEmpty()) {
                unknown(wanted);
                return List.of();
            }
            if (wanted.enabled() == have.get().enabled()) {
                return kept(wanted, have.get());
            }
            return List.of(wanted.enabled() ? enabling(wanted, have.get()) : disabling());
        }

        private RootFindings root() {
            return new RootFindings(spec.ref(), ring.access());
        }

        /// Nobody may switch authentication off by deleting a field, or by an invalid document of a user.
        private void unasked() {
            if (journal.authenticates()) {
                say(
                        Level.WARNING,
                        FindingCode.AUTH_STAYS,
                        "authentication is enabled, and no valid documents ask for it any more. It stays enabled, and"
                                + " users and roles stay as they are. To disable it, write /spec/auth/enabled: false");
            }
        }

        private void held(Auth wanted) {
            if (!wanted.held().isEmpty()) {
                say(
                        Level.WARNING,
                        FindingCode.AUTH_STAYS,
                        "users and roles named "
                                + Few.of(wanted.held().stream().map(Glob::text).toList(), NAMED)
                                + " stay as they are: the documents that a tenant has for them are not all valid");
            }
        }

        /// While an upgrade is to come: etcd 3.3 would give an empty password to a user without one.
        private boolean tooOld() {
            var old = RingHealth.lowestVersion(ring).filter(version -> !Auth.isIn(version));
            old.ifPresent(version -> say(
                    Level.NOTE,
                    FindingCode.AUTH_AFTER_UPGRADE,
                    "a member runs etcd " + version + "; users and roles follow once all members run 3.4 or later"));
            return old.isPresent();
        }

        private Optional<AuthState> have() {
            return ring.auth().optional().or(() -> known.map(Journal.Users::applied));
        }

        private void unknown(Auth wanted) {
            if (wanted.enabled() || !wanted.isEmpty()) {
                ring.auth()
                        .unknownReason()
                        .ifPresent(why -> say(
                                Level.ERROR,
                                FindingCode.AUTH_UNKNOWN,
                                "the users and roles of the ring are unknown: " + why));
            }
        }

        private Operation disabling() {
            var former = known.map(Journal.Users::applied).orElse(AuthState.NONE);
            return new DisableAuth(
                    spec.ref(),
                    new Journal.Users(
                            former.disabled(),
                            known.map(Journal.Users::passwords).orElseGet(TreeMap::new),
                            known.flatMap(Journal.Users::secrets)));
        }

        private Operation enabling(Auth wanted, AuthState have) {
            if (journal.authenticates()) {
                say(
                        Level.ERROR,
                        FindingCode.AUTH_DISABLED,
                        "authentication was disabled by hand: every client that reaches the ring may use all keys");
            }
            return new EnableAuth(
                    spec.ref(),
                    wanted,
                    compared(wanted, have),
                    secrets(wanted),
                    known,
                    spec.server().tls().with(journal.applied().transport()),
                    journal.applied().trusted());
        }

        /// Users and roles are made before authentication is enabled, too: clients need their passwords first.
        private List<Operation> kept(Auth wanted, AuthState have) {
            var changes = compared(wanted, have);
            var secrets = secrets(wanted);
            var operations = new ArrayList<Operation>();
            var rotation = rotation(wanted, secrets);
            boolean unseen = rotation.isEmpty() && isToBeSeen(changes);
            if (!changes.none() || !secrets.none() || !noted(wanted) || unseen) {
                operations.add(new SyncUsers(spec.ref(), wanted, changes, secrets, known, byHand(have)));
            }
            rotation.ifPresent(operations::add);
            return operations;
        }

        private SecretChanges secrets(Auth wanted) {
            return SecretChanges.of(wanted, known, SecretChanges.connection(journal));
        }

        private UserChanges compared(Auth wanted, AuthState have) {
            var changes = UserChanges.of(have, wanted, known);
            strangers(changes);
            return changes;
        }

        /// Whether the journal says what the documents ask for. Where they ask for nothing, it need not.
        private boolean noted(Auth wanted) {
            return known.map(k -> k.applied().equals(DesiredUsers.state(wanted)))
                    .orElse(!wanted.enabled() && wanted.isEmpty());
        }

        /// Whether the next run would read the users again only because the journal does not know this moment.
        private boolean isToBeSeen(UserChanges changes) {
            var seen = journal.past().data().seen();
            return changes.strangers().none()
                    && ring.access()
                            .moment()
                            .filter(now -> seen.filter(now::isSameMoment).isEmpty())
                            .isPresent();
        }

        /// Whether a user or role of ours is not as we left it.
        private boolean byHand(AuthState have) {
            return known.map(Journal.Users::applied)
                    .filter(left -> !contains(have.users(), left.users()) || !contains(have.roles(), left.roles()))
                    .isPresent();
        }

        private static boolean contains(SortedMap<String, ?> all, SortedMap<String, ?> some) {
            return some.entrySet().stream().allMatch(entry -> entry.getValue().equals(all.get(entry.getKey())));
        }

        /// Passwords of users that are there already. New users get theirs with the user.
        private Optional<Operation> rotation(Auth wanted, SecretChanges secrets) {
            var due = new TreeMap<String, SignIn.Password>();
            DesiredUsers.passwords(wanted)
                    .forEach((user, password) -> known.flatMap(
                                    k -> Optional.ofNullable(k.passwords().get(user)))
                            .filter(number -> number < password.number())
                            .ifPresent(_ -> due.put(user, password)));
            var root = rootRotation(wanted);
            if (due.isEmpty() && root.isEmpty()) {
                return Optional.empty();
            }
            var replaced = secrets.replaced(wanted, new TreeSet<>(due.keySet()));
            return Optional.of(new RotatePasswords(
                    spec.ref(), root, due, replaced, DesiredUsers.noted(wanted, known, secrets.after())));
        }

        private Optional<RotatePasswords.Root> rootRotation(Auth wanted) {
            int number = Math.max(DesiredUsers.rootNumber(known), wanted.rootNumber());
            boolean lost = root().isToBeReplaced();
            return wanted.enabled() && (lost || DesiredUsers.rootNumber(known) < number)
                    ? Optional.of(new RotatePasswords.Root(number, lost))
                    : Optional.empty();
        }

        private void strangers(UserChanges changes) {
            if (!changes.strangers().none()) {
                say(
                        Level.WARNING,
                        FindingCode.FOREIGN_USERS,
                        "no document has " + listed(changes.strangers())
                                + " of the ring. They stay. To have them removed, write /spec/auth/exclusive: true");
            }
        }

        private static String listed(UserChanges.Strangers strangers) {
            return Stream.of(listed("user", strangers.users()), listed("role", strangers.roles()))
                    .flatMap(Optional::stream)
                    .collect(Collectors.joining(" and "));
        }

        private static Optional<String> listed(String what, SortedSet<String> names) {
            return names.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Count.of(names.size(), what) + " (" + Few.of(names, NAMED) + ")");
        }

        /// Who may read or write every key, apart from `root`.
        private void wide(Auth wanted) {
            var wide = new TreeSet<String>();
            wanted.users().values().forEach(user -> {
                if (user.roles().stream().anyMatch(role -> role.equals(User.ROOT) || everything(wanted, role))) {
                    wide.add(user.name());
                }
            });
            if (!wide.isEmpty()) {
                say(Level.NOTE, FindingCode.WIDE_ROLE, "every key may be read or written by " + Few.of(wide, NAMED));
            }
        }

        private static boolean everything(Auth wanted, String role) {
            var grants = wanted.roles().get(role);
            return grants != null && grants.stream().map(Grant::keys).anyMatch(KeyRange::isEverything);
        }

        private void say(Level level, FindingCode code, String message) {
            findings.add(new Finding(level, code, message));
        }
    }
}
