package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/// The Secrets with passwords of a ring's users: those of `root` and of users whose password we generate are
/// ours, all others come from outside. Every call has its own deadline and throws [GatewayException]; no
/// message contains anything from a Secret.
///
/// A process that only plans reads none of them.
public interface RingPasswords {
    /// The entry that holds the password, in our Secrets.
    String KEY = "password";

    static String rootSecret(ClusterRef ref) {
        return ref.name() + "-root-auth";
    }

    static String userSecret(ClusterRef ref, String user) {
        return User.secretOf(ref.name(), user);
    }

    /// The password of the user `root`, by name, from the API server's own store: empty proves absence.
    /// REJECTED where the Secret has no valid password, UNAUTHORIZED with the missing right.
    Optional<Stored> root(ClusterRef ref);

    /// The same for an entry of any Secret in the ring's namespace.
    Optional<Stored> read(ClusterRef ref, String secretName, String key);

    /// An entry of any Secret in the ring's namespace, whatever it contains. Empty proves that the Secret or the
    /// entry does not exist, or is empty.
    Optional<byte[]> entry(ClusterRef ref, String secretName, String key);

    /// Without `resourceVersion`, creates the Secret of `root`: CONFLICT when one exists. Otherwise replaces
    /// the one that was read: CONFLICT when it has changed, is gone, or was written by a newer run; REJECTED
    /// when it is not ours. Returns the new resourceVersion.
    String writeRoot(
            ClusterRef ref, Password password, Optional<Password> next, Optional<String> resourceVersion, long epoch);

    /// The same for the Secret of a user, which also tells how to connect to the ring.
    String writeUser(RingObjects wanted, String user, Password password, Optional<String> resourceVersion);

    /// Writes into our Secret of the user how to connect to the ring, where it says something else. What else it
    /// has stays, the password above all. CONFLICT where it has changed meanwhile, or was written by a newer run.
    Touched connectUser(RingObjects wanted, String user);

    /// Deletes our Secret of the user. CONFLICT likewise.
    Touched removeUser(ClusterRef ref, String user, long epoch);

    /// What a call has done to the Secret of a user.
    enum Touched {
        CHANGED,
        ALREADY_SO,
        /// There is none.
        ABSENT,
        /// It is there without the labels of this ring's objects, and stays as it is.
        FOREIGN
    }

    /// Never printed.
    record Password(String text) {
        /// etcd refuses a longer one; 3.4 ignores the rest of it.
        private static final int LONGEST = 72;

        /// How many random texts make a password: 32 characters, of 128 random bits.
        private static final int DRAWN = 4;

        /// IllegalArgumentException, which does not contain the text, unless it is 1 to 72 printable ASCII
        /// characters.
        public Password {
            if (!valid(text)) {
                throw new IllegalArgumentException(
                        "a password is 1 to " + LONGEST + " printable ASCII characters, without a line break");
            }
        }

        private static boolean valid(String text) {
            return !text.isEmpty() && text.length() <= LONGEST && text.chars().allMatch(c -> c >= ' ' && c <= '~');
        }

        /// From the bytes of a Secret.
        public static Password of(byte[] bytes) {
            return new Password(new String(bytes, StandardCharsets.ISO_8859_1));
        }

        /// A new one; `random` gives eight random hexadecimal digits at a time.
        public static Password generate(Supplier<String> random) {
            var text = new StringBuilder();
            for (int i = 0; i < DRAWN; i++) {
                text.append(random.get());
            }
            return new Password(text.toString());
        }

        @Override
        public String toString() {
            return "Password[***]";
        }
    }

    /// `next` is the password that a change has written down and may not have reached etcd yet: whoever is
    /// refused with `password` tries it. `ours` says whether the Secret has the labels of this ring's objects.
    record Stored(Password password, Optional<Password> next, String resourceVersion, boolean ours) {}
}
