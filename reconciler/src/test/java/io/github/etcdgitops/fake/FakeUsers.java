package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.NOT_FOUND;
import static io.github.etcdgitops.gateway.RingUsers.Outcome.ALREADY_SO;
import static io.github.etcdgitops.gateway.RingUsers.Outcome.DONE;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingUsers.Outcome;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthChange.AddRole;
import io.github.etcdgitops.state.auth.AuthChange.AddUser;
import io.github.etcdgitops.state.auth.AuthChange.AddUserWithoutPassword;
import io.github.etcdgitops.state.auth.AuthChange.ChangePassword;
import io.github.etcdgitops.state.auth.AuthChange.DeleteRole;
import io.github.etcdgitops.state.auth.AuthChange.DeleteUser;
import io.github.etcdgitops.state.auth.AuthChange.Disable;
import io.github.etcdgitops.state.auth.AuthChange.Enable;
import io.github.etcdgitops.state.auth.AuthChange.GrantKeys;
import io.github.etcdgitops.state.auth.AuthChange.GrantRole;
import io.github.etcdgitops.state.auth.AuthChange.RevokeKeys;
import io.github.etcdgitops.state.auth.AuthChange.RevokeRole;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The users and roles of one cluster, and whether they count. Every member has the same.
final class FakeUsers {
    private boolean enabled;
    private long revision = 1;
    private int reads;
    private final SortedMap<String, Entry> users = new TreeMap<>();
    /// A role may have two accesses on one range, as in etcd.
    private final SortedMap<String, List<Grant>> roles = new TreeMap<>();

    /// `proof` follows from the password.
    private static final class Entry {
        OptionalLong proof;
        final SortedSet<String> roles = new TreeSet<>();

        Entry(OptionalLong proof) {
            this.proof = proof;
        }
    }

    boolean enabled() {
        return enabled;
    }

    /// For a client.
    AuthState read() {
        reads++;
        return state();
    }

    /// How often clients have read them.
    int reads() {
        return reads;
    }

    AuthStatus status() {
        return new AuthStatus(enabled, revision);
    }

    AuthState state() {
        var roleNames = new TreeMap<String, SortedSet<String>>();
        users.forEach((name, user) -> roleNames.put(name, user.roles));
        var grants = new TreeMap<String, SortedSet<Grant>>();
        roles.forEach((name, list) -> grants.put(name, new TreeSet<>(list)));
        return new AuthState(enabled, roleNames, grants);
    }

    boolean accepts(String user, String password) {
        if (!enabled) {
            throw FakeCluster.refused("authentication is not enabled");
        }
        var known = users.get(user);
        return known != null && known.proof.equals(proof(password));
    }

    private static OptionalLong proof(String password) {
        return OptionalLong.of(FakeWorld.idOf("password " + password).value());
    }

    /// Whether a user may do so with every key of a range.
    boolean permits(String user, Access access, KeyRange keys) {
        var known = users.get(user);
        if (!enabled || (known != null && known.roles.contains(User.ROOT))) {
            return true;
        }
        return known != null
                && (!access.reads() || covered(known, Access.READ, keys))
                && (!access.writes() || covered(known, Access.WRITE, keys));
    }

    /// Ranges that meet count as one.
    private boolean covered(Entry user, Access access, KeyRange keys) {
        var ranges = user.roles.stream()
                .flatMap(role -> roles.getOrDefault(role, List.of()).stream())
                .filter(grant -> grant.access().covers(access))
                .map(Grant::keys)
                .sorted()
                .toList();
        if (ranges.stream().anyMatch(range -> range.covers(keys))) {
            return true;
        }
        String reached = keys.from();
        for (var range : ranges) {
            if (range.covers(KeyRange.ofBytes(bytes(reached), new byte[0]))) {
                reached = range.end().isEmpty() ? range.from() + "\0" : range.end();
                if (new KeyRange(keys.from(), reached).covers(keys)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return new KeyRange(text, "").fromBytes();
    }

    /// Whatever changes something raises the revision, but for enabling.
    Outcome apply(AuthChange change, Optional<String> password, EtcdVersion version) {
        var outcome = make(change, password, version);
        if (outcome == DONE && !(change instanceof Enable)) {
            revision++;
        }
        return outcome;
    }

    private Outcome make(AuthChange change, Optional<String> password, EtcdVersion version) {
        return switch (change) {
            case AddRole(String role) -> changed(roles.putIfAbsent(role, new ArrayList<>()) == null);
            case DeleteRole(String role) -> deleteRole(role);
            case GrantKeys(String role, Grant grant) -> grant(role(role), grant, version);
            case RevokeKeys(String role, KeyRange keys) ->
                changed(roles.containsKey(role)
                        && roles.get(role).removeIf(grant -> grant.keys().equals(keys)));
            case AddUser(String user) -> add(user, proof(password.orElseThrow()));
            case AddUserWithoutPassword(String user) -> add(user, OptionalLong.empty());
            case DeleteUser(String user) -> deleteUser(user);
            case ChangePassword(String user) -> changePassword(user(user), password.orElseThrow());
            case GrantRole(String user, String role) -> grantRole(user(user), role);
            case RevokeRole(String user, String role) -> revokeRole(user, role);
            case Enable _ -> enable();
            case Disable _ -> {
                enabled = false;
                yield DONE;
            }
        };
    }

    private static Outcome changed(boolean changed) {
        return changed ? DONE : ALREADY_SO;
    }

    private Outcome deleteRole(String role) {
        keep(role.equals(User.ROOT));
        users.values().forEach(user -> user.roles.remove(role));
        return changed(roles.remove(role) != null);
    }

    /// Only the first of the ranges from a key on is looked at, as in etcd.
    private static Outcome grant(List<Grant> grants, Grant grant, EtcdVersion version) {
        var keys = grant.keys();
        boolean odd = keys.from().isEmpty()
                || (!keys.end().isEmpty()
                        && !keys.end().equals("\0")
                        && keys.from().compareTo(keys.end()) >= 0);
        if (odd && version.atLeast(3, 5, 0)) {
            throw FakeCluster.refused("invalid auth management");
        }
        int index = 0;
        while (index < grants.size() && grants.get(index).keys().from().compareTo(keys.from()) < 0) {
            index++;
        }
        if (index < grants.size() && grants.get(index).keys().equals(keys)) {
            grants.set(index, grant);
        } else {
            grants.add(grant);
            grants.sort(Comparator.comparing(g -> g.keys().from()));
        }
        return DONE;
    }

    private Outcome add(String user, OptionalLong proof) {
        return changed(users.putIfAbsent(user, new Entry(proof)) == null);
    }

    private Outcome deleteUser(String user) {
        keep(user.equals(User.ROOT));
        return changed(users.remove(user) != null);
    }

    /// Who has no password keeps none.
    private static Outcome changePassword(Entry user, String password) {
        if (user.proof.isPresent()) {
            user.proof = proof(password);
        }
        return DONE;
    }

    private Outcome grantRole(Entry user, String role) {
        if (!role.equals(User.ROOT)) {
            role(role);
        }
        user.roles.add(role);
        return DONE;
    }

    private Outcome revokeRole(String user, String role) {
        keep(user.equals(User.ROOT) && role.equals(User.ROOT));
        return changed(users.containsKey(user) && users.get(user).roles.remove(role));
    }

    private Outcome enable() {
        var root = users.get(User.ROOT);
        if (root == null) {
            throw FakeCluster.refused("root user does not exist");
        }
        if (!root.roles.contains(User.ROOT)) {
            throw FakeCluster.refused("root user does not have root role");
        }
        enabled = true;
        return DONE;
    }

    private void keep(boolean root) {
        if (enabled && root) {
            throw FakeCluster.refused("invalid auth management");
        }
    }

    private Entry user(String name) {
        return Optional.ofNullable(users.get(name)).orElseThrow(() -> missing("user " + name));
    }

    private List<Grant> role(String name) {
        return Optional.ofNullable(roles.get(name)).orElseThrow(() -> missing("role " + name));
    }

    private static GatewayException missing(String what) {
        return new GatewayException(NOT_FOUND, false, "etcd knows no " + what);
    }

    // --- as a snapshot has it

    /// None where there is nothing to tell.
    List<String> lines() {
        var lines = new ArrayList<String>();
        if (enabled) {
            lines.add("enabled");
        }
        roles.forEach((name, grants) -> {
            lines.add(String.join("\t", "role", name));
            grants.forEach(grant -> lines.add(String.join(
                    "\t",
                    "grant",
                    name,
                    grant.access().name(),
                    hex(grant.keys().from()),
                    hex(grant.keys().end()))));
        });
        users.forEach((name, user) -> lines.add(String.join(
                "\t",
                "user",
                name,
                user.proof.isPresent() ? Long.toString(user.proof.getAsLong()) : "",
                String.join(",", user.roles))));
        if (!lines.isEmpty()) {
            lines.add("revision\t" + revision);
        }
        return lines;
    }

    static FakeUsers of(List<String> lines) {
        var all = new FakeUsers();
        for (var line : lines) {
            var words = line.split("\t", -1);
            switch (words[0]) {
                case "enabled" -> all.enabled = true;
                case "revision" -> all.revision = Long.parseLong(words[1]);
                case "role" -> all.roles.put(words[1], new ArrayList<>());
                case "grant" ->
                    all.roles
                            .get(words[1])
                            .add(new Grant(Access.valueOf(words[2]), new KeyRange(text(words[3]), text(words[4]))));
                case "user" -> {
                    var user = new Entry(
                            words[2].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(words[2])));
                    user.roles.addAll(words[3].isEmpty() ? List.of() : List.of(words[3].split(",")));
                    all.users.put(words[1], user);
                }
                default -> throw new IllegalArgumentException("no line of users: " + line);
            }
        }
        return all;
    }

    private static String hex(String bytes) {
        return HexFormat.of().formatHex(new KeyRange(bytes, "").fromBytes());
    }

    private static String text(String hex) {
        return KeyRange.ofBytes(HexFormat.of().parseHex(hex), new byte[0]).from();
    }
}
