package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The fields of a ring's document, each by itself: the author of one field stays visible when someone
/// later writes another field beside it. An absent field counts as well: someone may have removed it.
record RingFields(EtcdClusterSpec ring) {
    private static final String AUTH = "/spec/auth";
    private static final String OPTIONS = "/spec/etcd";
    private static final String FEATURES = "/spec/features";
    private static final String TEMPLATE = "/spec/podTemplate";
    private static final String METADATA = TEMPLATE + "/metadata";
    private static final int DEPTH = 3;
    private static final int ITEMS = 50;

    private static final List<String> IMAGE =
            List.of("/spec/image/repository", "/spec/image/digest", "/spec/image/pullPolicy");
    private static final List<String> TLS = List.of(
            "/spec/tls/peer",
            "/spec/tls/client",
            "/spec/tls/issuer/kind",
            "/spec/tls/issuer/name",
            "/spec/tls/issuer/duration",
            "/spec/tls/issuer/ca/number",
            "/spec/tls/issuer/ca/overlap");
    private static final List<String> NETWORK =
            List.of("/spec/networkPolicy/clientNamespaceSelector", "/spec/networkPolicy/metricsNamespaceSelector");
    private static final List<String> PARTS = List.of(
            "/affinity",
            "/imagePullSecrets",
            "/metadata/annotations",
            "/metadata/labels",
            "/nodeSelector",
            "/priorityClassName",
            "/resources",
            "/schedulerName",
            "/securityContext",
            "/tolerations",
            "/topologySpreadConstraints");

    /// Everything that defines a ring, and its document as a whole.
    List<Passage> everything() {
        var pointers = new TreeSet<String>(List.of(""));
        Stream.of(RequestedBy.Part.values()).map(RingFields::pointers).forEach(pointers::addAll);
        pointers.addAll(IMAGE);
        pointers.addAll(NETWORK);
        pointers.add(OPTIONS);
        ring.server().options().keySet().forEach(name -> pointers.add(option(name)));
        PARTS.forEach(part -> pointers.addAll(template(part)));
        FeatureGate.titles().forEach(gate -> pointers.add(FEATURES + "/" + gate));
        var all = new ArrayList<>(of(pointers));
        ring.server().features().set().keySet().forEach(gate -> all.addAll(gate(gate)));
        lines().ifPresent(all::add);
        return List.copyOf(all);
    }

    /// Where a ring pauses on its way to a version is chosen by its document, or by the catalogue.
    List<Passage> of(RequestedBy.Part part) {
        return part == RequestedBy.Part.VERSION
                ? Stream.concat(of(pointers(part)).stream(), lines().stream()).toList()
                : of(pointers(part));
    }

    /// A user or role that the documents no longer define may have been removed from the ring's list, or
    /// with a document of its own, which is not in the tree any more.
    List<Passage> accounts(RequestedBy.Accounts changed) {
        var pointers = new TreeSet<String>();
        changed.users().forEach(name -> pointers.add(AUTH + "/users/" + name));
        changed.roles().forEach(name -> pointers.add(AUTH + "/roles/" + name));
        var auth = ring.auth();
        if (!auth.map(a -> a.users().keySet().containsAll(changed.users())).orElse(false)) {
            pointers.add(AUTH + "/users");
        }
        if (!auth.map(a -> a.roles().keySet().containsAll(changed.roles())).orElse(false)) {
            pointers.add(AUTH + "/roles");
        }
        var documents = auth.map(Auth::documents).orElse(List.of()).stream()
                .filter(document -> switch (document.kind()) {
                    case USER -> changed.users().contains(document.name());
                    case ROLE -> changed.roles().contains(document.name());
                })
                .map(Passage::of);
        return Stream.concat(of(pointers).stream(), documents).toList();
    }

    /// Everything that may ask for a change of users and roles. Of a long list, the items are not looked up
    /// separately.
    List<Passage> accounts() {
        var auth = ring.auth();
        if (auth.isEmpty()) {
            return List.of();
        }
        var pointers = new TreeSet<>(List.of(AUTH + "/users", AUTH + "/roles"));
        var users = auth.get().users().keySet();
        var roles = auth.get().roles().keySet();
        if (users.size() + roles.size() <= ITEMS) {
            users.forEach(name -> pointers.add(AUTH + "/users/" + name));
            roles.forEach(name -> pointers.add(AUTH + "/roles/" + name));
        }
        return Stream.concat(
                        of(pointers).stream(), auth.get().documents().stream().map(Passage::of))
                .toList();
    }

    /// The releases of each minor version, where the repository has a catalogue.
    private Optional<Passage> lines() {
        return ring.catalog().file().map(Passage::ofLines);
    }

    private static List<String> pointers(RequestedBy.Part part) {
        return switch (part) {
            case SIZE -> List.of("/spec/size");
            case VERSION -> List.of("/spec/version", "/spec/rollout/via");
            case ATTEMPT -> List.of("/spec/rollout/attempt");
            case BACKUP -> List.of("/spec/backup");
            case MAINTENANCE -> List.of("/spec/maintenance");
            case AUTH -> List.of(AUTH, AUTH + "/enabled", AUTH + "/exclusive", AUTH + "/root");
            case STORAGE -> List.of("/spec/storage/size", "/spec/storage/storageClassName");
            case RETENTION -> List.of("/spec/storage/retention");
            case TLS -> TLS;
        };
    }

    private List<Passage> of(Collection<String> pointers) {
        return pointers.stream().map(pointer -> Passage.of(ring, pointer)).toList();
    }

    /// The release of the next image follows from the version, so its author is the author of the version.
    /// Everything else of the image has its own author.
    List<Passage> image(RequestedBy.Image roll) {
        var target = roll.target();
        var expected = roll.former().image().map(RingFields::repository).map(name -> name + ":v" + target.version());
        return expected.isPresent() && expected.equals(target.image()) ? List.of() : of(IMAGE);
    }

    private static String repository(String image) {
        String name = image.split("@", 2)[0];
        int tag = name.lastIndexOf(':');
        return tag > name.lastIndexOf('/') ? name.substring(0, tag) : name;
    }

    /// The level that decides the gate: the ring's own document, or the Fleet.
    List<Passage> gate(FeatureGate gate) {
        var own = of(List.of(FEATURES + "/" + gate.title()));
        return ring.server()
                .features()
                .setting(gate)
                .filter(setting -> !setting.ofRing())
                .map(setting -> Stream.concat(own.stream(), Stream.of(Passage.ofFleet(setting.at())))
                        .toList())
                .orElse(own);
    }

    /// The parts of a ring's configuration that a roll changes.
    List<Passage> rolled(RequestedBy.Configuration roll) {
        var found = new ArrayList<Passage>();
        found.addAll(of(options(roll)));
        roll.features().forEach(change -> found.addAll(gate(change.gate())));
        for (String part : roll.parts()) {
            found.addAll(part(part, found.isEmpty()));
        }
        return found.isEmpty() ? everything() : List.copyOf(found);
    }

    private List<Passage> part(String part, boolean alone) {
        if (part.equals("container.image") || part.equals("container.imagePullPolicy")) {
            return of(IMAGE);
        }
        if (part.equals("annotations") || part.equals("labels")) {
            // A digest of the members' configuration is among the annotations.
            return alone || part.equals("labels") || metadata() ? of(template("/metadata/" + part)) : List.of();
        }
        String name = "/" + part.substring(part.indexOf('.') + 1);
        return of(PARTS.contains(name) ? template(name) : List.of(TEMPLATE));
    }

    private boolean metadata() {
        return !ring.podTemplate().annotations().isEmpty();
    }

    private List<String> options(RequestedBy.Configuration roll) {
        var former = roll.former().options();
        var target = roll.target().options();
        var names = new TreeSet<>(former.keySet());
        names.addAll(target.keySet());
        names.removeIf(name -> Objects.equals(former.get(name), target.get(name)));
        return names.stream().map(RingFields::option).toList();
    }

    private static String option(String name) {
        return name.equals(TokenKey.OPTION) ? AUTH + "/token" : OPTIONS + "/" + name;
    }

    private List<String> template(String part) {
        var pointers = new TreeSet<String>(List.of(TEMPLATE + part));
        switch (part) {
            case "/resources" -> leaves(TEMPLATE + part, ring.podTemplate().resources(), DEPTH, pointers);
            case "/metadata/annotations" ->
                leaves(METADATA + "/annotations", ring.podTemplate().annotations(), 1, pointers);
            case "/metadata/labels" ->
                leaves(METADATA + "/labels", ring.podTemplate().labels(), 1, pointers);
            default ->
                Optional.ofNullable(ring.podTemplate().pod().get(part.substring(1)))
                        .filter(Map.class::isInstance)
                        .ifPresent(tree -> leaves(TEMPLATE + part, (Map<?, ?>) tree, DEPTH, pointers));
        }
        return List.copyOf(pointers);
    }

    /// A name with a slash or a tilde is not looked up separately.
    private static void leaves(String at, Map<?, ?> tree, int depth, Collection<String> pointers) {
        tree.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (name.indexOf('/') >= 0 || name.indexOf('~') >= 0) {
                return;
            }
            pointers.add(at + "/" + name);
            if (value instanceof Map<?, ?> deeper && depth > 1) {
                leaves(at + "/" + name, deeper, depth - 1, pointers);
            }
        });
    }
}
