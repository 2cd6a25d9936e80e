package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.kube.manifest.ConfigMapManifests;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.auth.RootPassword;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The Secrets with passwords in a [FakeWorld].
public final class FakePasswords {
    private static final String NEXT = "next-password";

    private final FakeWorld world;
    private final Map<String, Secret> secrets = new HashMap<>();
    private final Set<String> forbidden = new HashSet<>();
    private final Set<String> made = new HashSet<>();

    FakePasswords(FakeWorld world) {
        this.world = world;
    }

    private record Secret(SortedMap<String, String> entries, String version, boolean ours, long epoch) {}

    public RingPasswords port() {
        return new Port();
    }

    /// Whether `root` can sign in with one of the passwords in its Secret. A world in which we have never made
    /// that Secret is one where nobody looks at it.
    boolean admitRoot(ClusterRef ref, FakeUsers users) {
        return !made.contains(path(ref, RingPasswords.rootSecret(ref))) || accepted(ref, users);
    }

    private boolean accepted(ClusterRef ref, FakeUsers users) {
        var entries = entries(ref, RingPasswords.rootSecret(ref));
        return Stream.of(RingPasswords.KEY, NEXT)
                .map(entries::get)
                .anyMatch(password -> password != null && users.accepts("root", password));
    }

    RootPassword ofRoot(ClusterRef ref, FakeUsers users) {
        String path = path(ref, RingPasswords.rootSecret(ref));
        if (!made.contains(path) || forbidden.contains(path)) {
            return RootPassword.UNASKED;
        }
        var secret = secrets.get(path);
        if (secret == null) {
            return RootPassword.MISSING;
        }
        if (accepted(ref, users)) {
            return RootPassword.ACCEPTED;
        }
        return secret.ours() ? RootPassword.REFUSED : RootPassword.FOREIGN;
    }

    Optional<String> versionOfRoot(ClusterRef ref) {
        String path = path(ref, RingPasswords.rootSecret(ref));
        return Optional.ofNullable(secrets.get(path))
                .filter(_ -> made.contains(path) && !forbidden.contains(path))
                .map(Secret::version);
    }

    // --- by other hands

    /// Somebody else makes one, or changes theirs.
    public void putByHand(ClusterRef ref, String name, String key, String value) {
        put(ref, name, false, key, value);
    }

    /// Somebody else writes over one of ours.
    public void putOurs(ClusterRef ref, String name, String key, String value) {
        put(ref, name, true, key, value);
    }

    private void put(ClusterRef ref, String name, boolean ours, String key, String value) {
        var entries = new TreeMap<>(Map.of(key, value));
        secrets.put(path(ref, name), new Secret(entries, world.nextVersion(), ours, 0));
    }

    public void lose(ClusterRef ref, String name) {
        secrets.remove(path(ref, name));
    }

    /// Nobody here may touch this one any more.
    public void forbid(ClusterRef ref, String name) {
        forbidden.add(path(ref, name));
    }

    public void allow(ClusterRef ref, String name) {
        forbidden.remove(path(ref, name));
    }

    /// What consumers find in it; empty where there is none.
    public SortedMap<String, String> entries(ClusterRef ref, String name) {
        return Optional.ofNullable(secrets.get(path(ref, name)))
                .map(Secret::entries)
                .orElseGet(TreeMap::new);
    }

    private static String path(ClusterRef ref, String name) {
        return ref.namespace() + "/" + name;
    }

    private final class Port implements RingPasswords {
        @Override
        public Optional<Stored> root(ClusterRef ref) {
            return read(ref, RingPasswords.rootSecret(ref), KEY);
        }

        @Override
        public Optional<Stored> read(ClusterRef ref, String secretName, String key) {
            return world.call(world.ring(ref), () -> {
                reach(ref, secretName);
                return Optional.ofNullable(secrets.get(path(ref, secretName)))
                        .map(secret -> new Stored(
                                password(ref, secretName, secret, key)
                                        .orElseThrow(() -> refused(ref, secretName, "it has no " + key)),
                                password(ref, secretName, secret, NEXT),
                                secret.version(),
                                secret.ours()));
            });
        }

        @Override
        public Optional<byte[]> entry(ClusterRef ref, String secretName, String key) {
            return world.call(world.ring(ref), () -> {
                reach(ref, secretName);
                return Optional.ofNullable(secrets.get(path(ref, secretName)))
                        .map(secret -> secret.entries().getOrDefault(key, ""))
                        .filter(text -> !text.isEmpty())
                        .map(text -> text.getBytes(StandardCharsets.UTF_8));
            });
        }

        private Optional<Password> password(ClusterRef ref, String name, Secret secret, String key) {
            try {
                return Optional.ofNullable(secret.entries().get(key))
                        .filter(text -> !text.isEmpty())
                        .map(Password::new);
            } catch (IllegalArgumentException e) {
                throw refused(ref, name, "its " + key + " is not valid: " + e.getMessage());
            }
        }

        private GatewayException refused(ClusterRef ref, String name, String why) {
            return new GatewayException(
                    GatewayException.Kind.REJECTED, false, "get Secret " + path(ref, name) + ": " + why);
        }

        @Override
        public String writeRoot(
                ClusterRef ref, Password password, Optional<Password> next, Optional<String> version, long epoch) {
            var entries = new TreeMap<>(Map.of("username", "root", KEY, password.text()));
            next.ifPresent(p -> entries.put(NEXT, p.text()));
            return write(ref, RingPasswords.rootSecret(ref), entries, version, epoch);
        }

        @Override
        public String writeUser(RingObjects wanted, String user, Password password, Optional<String> version) {
            var ref = wanted.spec().ref();
            var entries = new TreeMap<>(ConfigMapManifests.binding(wanted));
            entries.put("username", user);
            entries.put(KEY, password.text());
            return write(ref, RingPasswords.userSecret(ref, user), entries, version, wanted.epoch());
        }

        @Override
        public Touched connectUser(RingObjects wanted, String user) {
            var ref = wanted.spec().ref();
            String name = RingPasswords.userSecret(ref, user);
            var live = found(ref, name);
            if (live.isEmpty() || !live.get().ours()) {
                return live.isEmpty() ? Touched.ABSENT : Touched.FOREIGN;
            }
            var entries = new TreeMap<>(live.get().entries());
            entries.keySet().removeAll(ConfigMapManifests.BINDING);
            entries.putAll(ConfigMapManifests.binding(wanted));
            if (entries.equals(live.get().entries())) {
                return Touched.ALREADY_SO;
            }
            write(ref, name, entries, Optional.of(live.get().version()), wanted.epoch());
            return Touched.CHANGED;
        }

        @Override
        public Touched removeUser(ClusterRef ref, String user, long epoch) {
            String name = RingPasswords.userSecret(ref, user);
            var live = found(ref, name);
            if (live.isEmpty() || !live.get().ours()) {
                return live.isEmpty() ? Touched.ABSENT : Touched.FOREIGN;
            }
            return world.change(world.ring(ref), "delete Secret " + path(ref, name), () -> {
                reach(ref, name);
                FakePreconditions.guard(true, live.get().epoch(), epoch);
                secrets.remove(path(ref, name));
                return Touched.CHANGED;
            });
        }

        private Optional<Secret> found(ClusterRef ref, String name) {
            return world.call(world.ring(ref), () -> {
                reach(ref, name);
                return Optional.ofNullable(secrets.get(path(ref, name)));
            });
        }

        private String write(
                ClusterRef ref, String name, TreeMap<String, String> entries, Optional<String> version, long epoch) {
            return world.change(world.ring(ref), "write Secret " + path(ref, name), () -> {
                reach(ref, name);
                var live = Optional.ofNullable(secrets.get(path(ref, name)));
                if (version.isPresent()) {
                    live.ifPresent(secret -> FakePreconditions.guard(secret.ours(), secret.epoch(), epoch));
                }
                FakePreconditions.expect(live.map(Secret::version), version);
                var written = new Secret(entries, world.nextVersion(), true, epoch);
                secrets.put(path(ref, name), written);
                made.add(path(ref, name));
                return written.version();
            });
        }

        private void reach(ClusterRef ref, String name) {
            if (world.isApiDown()) {
                throw new GatewayException(
                        GatewayException.Kind.UNREACHABLE, false, "the API server cannot be reached");
            }
            if (forbidden.contains(path(ref, name))) {
                throw new GatewayException(
                        GatewayException.Kind.UNAUTHORIZED, false, "not allowed to touch Secret " + path(ref, name));
            }
        }
    }
}
