package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads users and roles: those of a ring's document, and those with a document of their own.
public final class AuthReader {
    /// The location of the one user or role in a document of its own.
    public static final List<String> SPEC = List.of("spec");

    private static final List<String> USERS = List.of("spec", "auth", "users");
    private static final List<String> JWT = List.of("spec", "auth", "token", "jwt");
    /// The name of the Secret with the key of tokens.
    static final List<String> TOKEN_SECRET = below(JWT, "secretKeyRef", "name");

    private static final long TOKEN_SECONDS = 300;
    private static final List<String> ROLES = List.of("spec", "auth", "roles");
    private static final List<String> ROOT_PASSWORD = List.of("spec", "auth", "root", "password");

    private AuthReader() {}

    /// Of a ring's document that passed every check.
    static Optional<Auth> read(YamlDocument ring) {
        if (!ring.has("spec", "auth")) {
            return Optional.empty();
        }
        var users = new TreeMap<String, User>();
        users(ring).forEach(at -> users.put(name(ring, at), user(ring, at)));
        var roles = new TreeMap<String, SortedSet<Grant>>();
        roles(ring).forEach(at -> roles.put(name(ring, at), grants(ring, at)));
        return Optional.of(new Auth(
                flag(ring, "enabled").orElse(true),
                flag(ring, "exclusive").orElse(false),
                number(ring, ROOT_PASSWORD),
                users,
                roles,
                List.of(),
                List.of()));
    }

    /// The key of its tokens, if it has one.
    static Optional<TokenKey> token(YamlDocument ring) {
        var secret = below(JWT, "secretKeyRef");
        return text(ring, below(secret, "name"))
                .map(name -> new TokenKey(
                        new User.SecretRef(
                                name, text(ring, below(secret, "key")).orElseThrow()),
                        text(ring, below(JWT, "signMethod"))
                                .flatMap(method -> WireName.find(TokenKey.Method.values(), method))
                                .orElse(TokenKey.Method.RS256),
                        ring.number(path(JWT, "ttlSeconds")).orElse(TOKEN_SECONDS)));
    }

    /// The locations of the users in a ring's document.
    public static List<List<String>> users(YamlDocument ring) {
        return items(ring, USERS);
    }

    public static List<List<String>> roles(YamlDocument ring) {
        return items(ring, ROLES);
    }

    /// Where the name of a user or role is written.
    public static List<String> place(YamlDocument document, List<String> at) {
        return at.equals(SPEC) && !document.has("spec", "name") ? List.of("metadata", "name") : below(at, "name");
    }

    /// A document of its own is named as its user or role, unless its spec gives another name.
    public static Optional<String> nameAt(YamlDocument document, List<String> at) {
        return text(document, place(document, at));
    }

    public static User user(YamlDocument document, List<String> at) {
        return new User(
                name(document, at),
                new TreeSet<>(document.texts(path(at, "roles"))),
                document.has(path(at, "certificate"))
                        ? new User.SignIn.Certificate()
                        : password(document, below(at, "password")));
    }

    private static User.SignIn password(YamlDocument document, List<String> at) {
        var secret = document.text(path(at, "secretKeyRef", "name"))
                .map(name -> new User.SecretRef(
                        name, document.text(path(at, "secretKeyRef", "key")).orElseThrow()));
        return new User.SignIn.Password(secret, number(document, at));
    }

    private static int number(YamlDocument document, List<String> password) {
        return document.number(path(password, "number")).map(Math::toIntExact).orElse(Auth.FIRST);
    }

    public static SortedSet<Grant> grants(YamlDocument document, List<String> at) {
        var grants = new TreeSet<Grant>();
        for (var grant : items(document, below(at, "grants"))) {
            var access = document.text(path(grant, "access"))
                    .flatMap(word -> WireName.find(Access.values(), word))
                    .orElseThrow();
            grants.add(new Grant(access, keys(document, grant).orElseThrow()));
        }
        return grants;
    }

    /// The locations of the grants in an EtcdRole.
    static List<List<String>> grantPlaces(YamlDocument role) {
        return items(role, below(SPEC, "grants"));
    }

    /// Empty where the document does not say it clearly.
    static Optional<KeyRange> keys(YamlDocument document, List<String> grant) {
        var from = document.text(path(grant, "from"));
        var found = Stream.of(
                        document.text(path(grant, "key")).map(KeyRange::key),
                        document.text(path(grant, "prefix")).map(KeyRange::prefix),
                        from.map(first -> document.text(path(grant, "to"))
                                .map(end -> KeyRange.range(first, end))
                                .orElseGet(() -> KeyRange.onwards(first))))
                .flatMap(Optional::stream)
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    static List<List<String>> items(YamlDocument document, List<String> list) {
        int count = document.items(list.toArray(String[]::new)).size();
        return IntStream.range(0, count)
                .mapToObj(i -> below(list, Integer.toString(i)))
                .toList();
    }

    static List<String> below(List<String> at, String... fields) {
        return Stream.concat(at.stream(), Stream.of(fields)).toList();
    }

    static Optional<String> text(YamlDocument document, List<String> at) {
        return document.text(at.toArray(String[]::new));
    }

    private static String name(YamlDocument document, List<String> at) {
        return nameAt(document, at).orElseThrow();
    }

    private static Optional<Boolean> flag(YamlDocument ring, String field) {
        return ring.find("spec", "auth", field).map(node -> node.toJson().booleanValue());
    }

    private static String[] path(List<String> at, String... fields) {
        return below(at, fields).toArray(String[]::new);
    }
}
