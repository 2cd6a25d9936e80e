package io.github.etcdgitops.document.kind;

import static io.github.etcdgitops.document.kind.AuthReader.below;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.OwnSecrets;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a schema cannot check in users and roles: how the fields of one go together.
final class AuthChecks {
    private static final int LONGEST_KEY = 1024;
    private static final List<String> RANGES = List.of("key", "prefix", "from");
    private static final Pattern SECRET_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private final YamlDocument document;
    private final Findings findings;

    private AuthChecks(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    static void ofRing(YamlDocument document, Findings findings) {
        if (!document.has("spec", "auth")) {
            return;
        }
        var checks = new AuthChecks(document, findings);
        checks.version();
        checks.token();
        AuthReader.users(document).forEach(checks::user);
        AuthReader.roles(document).forEach(checks::role);
    }

    static void ofUser(YamlDocument document, Findings findings) {
        new AuthChecks(document, findings).user(AuthReader.SPEC);
    }

    static void ofRole(YamlDocument document, Findings findings) {
        new AuthChecks(document, findings).role(AuthReader.SPEC);
    }

    /// etcd 3.3 makes a user with an empty password where one without a password is asked for, and does not start
    /// with the settings of signed tokens: so it gets neither, even before authentication is enabled.
    private void version() {
        document.text("spec", "version")
                .flatMap(EtcdVersion::parse)
                .filter(version -> !Auth.isIn(version))
                .ifPresent(version -> findings.at(
                        List.of("spec", "auth"),
                        "auth-not-in-version",
                        "`spec.auth` is about users and roles and `spec.version` is " + version
                                + "; etcd-gitops supports them from etcd 3.4 on.",
                        "Leave the field out until the ring runs 3.4."));
    }

    /// Its certificates are replaced while members run, and each member reads the key only when it starts.
    private void token() {
        String ring = document.text("metadata", "name").orElse("");
        AuthReader.text(document, AuthReader.TOKEN_SECRET)
                .filter(secret -> OwnSecrets.has(ring, secret))
                .ifPresent(secret -> findings.at(
                        AuthReader.TOKEN_SECRET,
                        "reserved-secret",
                        "The key of tokens is in the Secret " + Shown.plain(secret)
                                + ", which is one of the ring's own.",
                        "Choose another Secret, which has nothing but this key."));
    }

    private void user(List<String> at) {
        if (!isObject(at)) {
            return;
        }
        reserved(at, "The user");
        signIn(at);
        var password = below(at, "password");
        if (!isObject(password) || has(below(at, "certificate"))) {
            return;
        }
        boolean oneSource = one(
                password,
                List.of("generate", "secretKeyRef"),
                "password-source",
                "Write `generate: true`, or the entry of a Secret that has the password.");
        if (oneSource && has(below(password, "generate"))) {
            secretName(at);
        }
    }

    private void signIn(List<String> at) {
        one(
                at,
                List.of("password", "certificate"),
                "sign-in",
                "Write `password: {generate: true}`, or `certificate: true` for a user that signs in with a client"
                        + " certificate.");
    }

    /// Whether exactly one of two fields is there.
    private boolean one(List<String> at, List<String> fields, String code, String remedy) {
        boolean first = has(below(at, fields.getFirst()));
        boolean one = first != has(below(at, fields.getLast()));
        if (!one) {
            findings.at(
                    at,
                    code,
                    "`" + Shown.path(at) + "` has " + (first ? "both" : "neither of") + " `" + fields.getFirst()
                            + "` and `" + fields.getLast() + "`; expected one of them.",
                    remedy);
        }
        return one;
    }

    /// The Secret is named after the user.
    private void secretName(List<String> at) {
        AuthReader.nameAt(document, at)
                .filter(name -> !SECRET_NAME.matcher(name).matches())
                .ifPresent(name -> findings.at(
                        AuthReader.place(document, at),
                        "secret-name",
                        "The password of the user " + Shown.quoted(name) + " is generated into the Secret "
                                + Shown.plain(User.secretOf(ring().orElse("RING"), name))
                                + ", which is no valid name in Kubernetes.",
                        "Choose a name of lower-case letters, digits, dashes and dots, or name the Secret with"
                                + " `secretKeyRef`."));
    }

    /// In the document of one user the ring is named as in other documents about a ring.
    private Optional<String> ring() {
        return document.has("spec", "cluster")
                ? document.text("spec", "cluster", "name")
                : document.text("metadata", "name");
    }

    private void role(List<String> at) {
        reserved(at, "The role");
        var seen = new HashMap<KeyRange, List<String>>();
        for (var grant : AuthReader.items(document, below(at, "grants"))) {
            if (isObject(grant) && range(grant)) {
                AuthReader.keys(document, grant).ifPresent(keys -> {
                    var earlier = seen.putIfAbsent(keys, grant);
                    if (earlier != null) {
                        twice(keys, grant, earlier);
                    }
                });
            }
        }
    }

    /// What two accesses on one range mean together depends on their order, and on the release.
    private void twice(KeyRange keys, List<String> grant, List<String> earlier) {
        findings.at(
                grant,
                "duplicate-range",
                "`" + Shown.path(grant) + "` is about " + keys.describe() + ", as is `" + Shown.path(earlier) + "` at "
                        + document.at(earlier) + "; a range has one access.",
                "Write one grant for the range, `access: readwrite` for both.");
    }

    /// Whether the range of a grant can be compared with others.
    private boolean range(List<String> grant) {
        var given = RANGES.stream().filter(field -> has(below(grant, field))).toList();
        if (given.size() != 1) {
            findings.at(
                    grant,
                    "key-range",
                    "`" + Shown.path(grant) + "` has "
                            + (given.isEmpty() ? "none of key, prefix and from" : String.join(" and ", given))
                            + "; expected exactly one of key, prefix and from.",
                    "Write a grant for each range. `prefix: \"\"` is every key.");
            return false;
        }
        if (has(below(grant, "to")) && !given.contains("from")) {
            findings.atKey(
                    below(grant, "to"),
                    "key-range",
                    "`" + Shown.path(below(grant, "to")) + "` is valid only with `from`.",
                    "Remove it.");
            return false;
        }
        boolean keys = Stream.of("key", "prefix", "from", "to")
                .map(field -> isKey(below(grant, field)))
                .reduce(true, Boolean::logicalAnd);
        return keys && ascending(grant);
    }

    private boolean ascending(List<String> grant) {
        var keys = AuthReader.keys(document, grant);
        if (!has(below(grant, "to"))
                || keys.isEmpty()
                || keys.get().from().compareTo(keys.get().end()) < 0) {
            return true;
        }
        findings.at(
                below(grant, "to"),
                "empty-range",
                "`" + Shown.path(below(grant, "to")) + "` is not above `from`, in the order of their bytes; the range"
                        + " has no key.",
                "Exchange them, or write `key` for a single key.");
        return false;
    }

    /// The schema counts characters, and etcd bytes.
    private boolean isKey(List<String> at) {
        var text = AuthReader.text(document, at);
        if (text.isEmpty()) {
            return true;
        }
        boolean whole =
                text.get().codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (whole && KeyRange.key(text.get()).from().length() <= LONGEST_KEY) {
            return true;
        }
        if (findings.noneAt(at)) {
            findings.at(
                    at,
                    "bad-key-text",
                    "`" + Shown.path(at) + "` is " + (whole ? "longer than 1024 bytes" : "no valid Unicode text")
                            + "; expected a text of at most 1024 bytes.",
                    whole
                            ? "Choose a shorter prefix that covers it."
                            : "Write the two halves of a character together.");
        }
        return false;
    }

    private void reserved(List<String> at, String what) {
        AuthReader.nameAt(document, at)
                .filter(User.ROOT::equals)
                .ifPresent(_ -> findings.at(
                        AuthReader.place(document, at),
                        "reserved-name",
                        what + " \"root\" is managed by etcd-gitops itself.",
                        "Choose another name. A user may have the role root."));
    }

    /// The schema reports anything else.
    private boolean isObject(List<String> at) {
        return document.root()
                .find(at)
                .filter(YamlNode.Mapping.class::isInstance)
                .isPresent();
    }

    private boolean has(List<String> at) {
        return document.has(at.toArray(String[]::new));
    }
}
