package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.kind.AuthReader;
import io.github.etcdgitops.document.kind.OutsideTenant;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.AuthDocument;
import io.github.etcdgitops.spec.auth.AuthDocument.Kind;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The users and roles of one ring, from its own document and from its EtcdUsers and EtcdRoles, each of
/// which is valid alone. Those of a tenant that the ring is shared with are admitted together, or not at all: what
/// that tenant writes is no trouble for the ring's own users, nor for other tenants.
final class RingAuth {
    private static final int MOST = 500;
    private static final long HEAVIEST = 256 << 10;

    /// How many of them are violations: looking for what was probably meant takes time.
    private static final int MOST_UNKNOWN_ROLES = 100;

    private final EtcdClusterSpec ring;
    private final boolean complete;
    private final SortedMap<String, Defined> users = new TreeMap<>();
    private final SortedMap<String, Defined> roles = new TreeMap<>();
    private final List<AuthDocument> documents = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private final Set<SharedRing> held = new LinkedHashSet<>();
    private boolean sound;
    private int unknownRoles;

    /// `complete` says that every document of the ring was read: only then a missing role does not exist.
    RingAuth(EtcdClusterSpec ring, boolean complete) {
        this.ring = ring;
        this.complete = complete;
    }

    /// A user or a role, and where it is defined: by the ring's own people, or by a tenant that it is shared with.
    record Defined(Kind kind, String name, YamlDocument document, List<String> at, Optional<SharedRing> by) {
        Location place() {
            return document.at(AuthReader.place(document, at));
        }

        Location below(String... fields) {
            return document.at(path(fields));
        }

        List<String> path(String... fields) {
            var path = new ArrayList<>(at);
            path.addAll(List.of(fields));
            return path;
        }
    }

    /// A Secret that a user's password is in, and where that is written.
    record PasswordSecret(String name, User user, Location at, Optional<SharedRing> by) {}

    void addOwn(YamlDocument document) {
        AuthReader.users(document).forEach(at -> add(Kind.USER, document, at, Optional.empty()));
        AuthReader.roles(document).forEach(at -> add(Kind.ROLE, document, at, Optional.empty()));
    }

    void add(Assessed assessed) {
        add(assessed, Optional.empty());
    }

    /// After the ring's own documents, which are valid together. `clear` says that all the tenant's are valid alone.
    void admit(SharedRing shared, List<Assessed> theirs, boolean clear) {
        int before = violations.size();
        if (clear) {
            theirs.forEach(document -> add(document, Optional.of(shared)));
            users.values().stream()
                    .filter(user -> user.by().equals(Optional.of(shared)))
                    .forEach(user -> rolesOf(user, shared));
        }
        if (!clear
                || violations.size() > before
                || !valid(theirs.getFirst().document().at(List.of()))) {
            expel(shared);
        }
    }

    /// None of the tenant's users and roles counts, and those that it has stay as they are.
    void expel(SharedRing shared) {
        held.add(shared);
        users.values().removeIf(user -> user.by().equals(Optional.of(shared)));
        roles.values().removeIf(role -> role.by().equals(Optional.of(shared)));
        documents.removeIf(document -> !has(document));
    }

    private boolean has(AuthDocument document) {
        return Optional.ofNullable((document.kind() == Kind.USER ? users : roles).get(document.name()))
                .filter(defined -> defined.document().at(List.of()).equals(document.source()))
                .isPresent();
    }

    private void rolesOf(Defined user, SharedRing shared) {
        int index = 0;
        for (String role : user.document().texts(user.path("roles").toArray(String[]::new))) {
            var place = user.path("roles", Integer.toString(index++));
            boolean own =
                    Optional.ofNullable(roles.get(role)).flatMap(Defined::by).equals(Optional.of(shared));
            if (!own && !shared.roles().contains(role)) {
                violations.add(OutsideTenant.violation(
                        user.document(),
                        place,
                        shared.tenant(),
                        "sharedRings.roles",
                        "`" + Shown.path(place) + "` is " + Shown.quoted(role) + ", which no EtcdRole of the tenant"
                                + " defines",
                        shared.roles()));
            }
        }
    }

    private void add(Assessed assessed, Optional<SharedRing> by) {
        var document = assessed.document();
        var kind = assessed.is(DocumentKind.ETCD_USER) ? Kind.USER : Kind.ROLE;
        add(kind, document, AuthReader.SPEC, by);
        documents.add(new AuthDocument(
                kind,
                AuthReader.nameAt(document, AuthReader.SPEC).orElseThrow(),
                document.text("metadata", "name").orElseThrow(),
                document.at(List.of())));
    }

    private void add(Kind kind, YamlDocument document, List<String> at, Optional<SharedRing> by) {
        var known = kind == Kind.USER ? users : roles;
        String word = kind == Kind.USER ? "user" : "role";
        var defined = new Defined(kind, AuthReader.nameAt(document, at).orElseThrow(), document, at, by);
        var earlier = known.putIfAbsent(defined.name(), defined);
        if (earlier != null) {
            violations.add(Violation.of(
                    "duplicate-" + word,
                    defined.place(),
                    "The " + word + " " + Shown.quoted(defined.name()) + " of the ring " + ring.ref()
                            + " is already defined at " + earlier.place() + ".",
                    "Keep one of the two. Meanwhile, the ring's users and roles are left as they are."));
        } else if (known.size() == MOST + 1) {
            violations.add(Violation.of(
                    "too-many-" + word + "s",
                    defined.place(),
                    "The ring " + ring.ref() + " has more than " + MOST + " " + word + "s in all its documents.",
                    "Give several clients one " + word + ", or move some of them to another ring."));
        }
    }

    /// Once the ring's own documents are added: whether they do not contradict each other, name only what exists,
    /// and are not too large.
    boolean settle() {
        sound = violations.isEmpty() && valid(ring.declaration().source());
        return sound;
    }

    /// Of the ring's own documents, and of those that were admitted. Empty where the own ones are not valid.
    Optional<Auth> merged() {
        return sound
                ? together()
                        .map(auth -> auth.holding(held.stream()
                                .flatMap(shared -> shared.names().stream())
                                .toList()))
                : Optional.empty();
    }

    /// `place` is where it is told that they are too large.
    private boolean valid(Location place) {
        int before = violations.size();
        unknownRoles = 0;
        users.values().forEach(user -> {
            if (complete) {
                knownRoles(user);
            }
            certificate(user);
        });
        return violations.size() == before
                && together().filter(auth -> fits(auth, place)).isPresent();
    }

    /// The journal of the ring has them too.
    private boolean fits(Auth auth, Location place) {
        boolean fits = auth.weight() <= HEAVIEST;
        if (!fits) {
            violations.add(Violation.of(
                    "too-large-auth",
                    place,
                    "The users and roles of the ring " + ring.ref() + " take " + (auth.weight() >> 10)
                            + " KiB in its journal, and at most " + (HEAVIEST >> 10) + " KiB fit there.",
                    "Grant prefixes instead of single keys, or let users share roles."));
        }
        return fits;
    }

    private Optional<Auth> together() {
        if (documents.isEmpty()) {
            return ring.auth();
        }
        var ofUsers = new TreeMap<String, User>();
        users.forEach((name, user) -> ofUsers.put(name, AuthReader.user(user.document(), user.at())));
        var ofRoles = new TreeMap<String, SortedSet<Grant>>();
        roles.forEach((name, role) -> ofRoles.put(name, AuthReader.grants(role.document(), role.at())));
        return ring.auth()
                .map(own -> new Auth(
                        own.enabled(), own.exclusive(), own.rootNumber(), ofUsers, ofRoles, documents, List.of()));
    }

    private void knownRoles(Defined user) {
        int index = 0;
        for (String role : user.document().texts(user.path("roles").toArray(String[]::new))) {
            var place = user.path("roles", Integer.toString(index++));
            if (!roles.containsKey(role) && !role.equals(User.ROOT) && unknownRoles < MOST_UNKNOWN_ROLES) {
                unknownRoles++;
                var known = new TreeSet<>(roles.keySet());
                known.add(User.ROOT);
                violations.add(Violation.of(
                        "unknown-role",
                        user.document().at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(role) + "; the ring " + ring.ref()
                                + " has no role of this name.",
                        Suggestion.hint(role, known, "Its roles are ")));
            }
        }
    }

    /// Over plain text there is no certificate.
    private void certificate(Defined user) {
        boolean byCertificate = user.document().has(user.path("certificate").toArray(String[]::new));
        if (byCertificate && ring.server().tls().transport().client() == Transport.Mode.PLAIN) {
            violations.add(Violation.of(
                    "certificate-without-tls",
                    user.below("certificate"),
                    "The user " + Shown.quoted(user.name())
                            + " signs in with a client certificate; clients of the ring " + ring.ref()
                            + " do not use TLS.",
                    "Set `spec.tls.client` of the ring to mutual or mixed, or give the user a password."));
        }
    }

    /// Of users that are in the ring's `auth`.
    List<PasswordSecret> secrets(Auth auth) {
        var secrets = new ArrayList<PasswordSecret>();
        auth.users().forEach((name, user) -> {
            var defined = users.get(name);
            if (defined != null && user.signIn() instanceof User.SignIn.Password(var reference, int _)) {
                secrets.add(reference
                        .map(secret -> new PasswordSecret(
                                secret.name(), user, defined.below("password", "secretKeyRef", "name"), defined.by()))
                        .orElseGet(() -> new PasswordSecret(
                                User.secretOf(ring.ref().name(), name), user, defined.place(), defined.by())));
            }
        });
        return secrets;
    }

    List<Violation> violations() {
        return violations;
    }
}
