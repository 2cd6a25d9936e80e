package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads and checks the rings of others that tenants may add users and roles to.
record SharedRingFields(YamlDocument document) {
    private static final List<String> TENANTS = List.of("spec", "tenants");
    private static final String SHARED = "sharedRings";

    /// One item of a list, and where it is.
    private record Item(int tenant, SharedRing shared, List<String> at) {}

    List<SharedRing> of(int tenant) {
        return items(tenant).map(Item::shared).toList();
    }

    /// Two tenants must not mean the same account: one could take the other's access. That keys of one are also keys
    /// of another is what some of them share a ring for.
    void check(Findings findings) {
        var earlier = new ArrayList<Item>();
        IntStream.range(0, document.items(path(TENANTS)).size())
                .boxed()
                .flatMap(this::items)
                .forEach(item -> {
                    earlier.stream()
                            .filter(other ->
                                    other.shared().ring().equals(item.shared().ring()))
                            .forEach(other -> apart(item, other, findings));
                    root(item, findings);
                    earlier.add(item);
                });
    }

    private static void apart(Item item, Item other, Findings findings) {
        if (item.tenant() == other.tenant()) {
            findings.at(
                    item.at(),
                    "duplicate-shared-ring",
                    "The ring " + item.shared().ring() + " was already given for this tenant.",
                    "Write one item for the ring.");
            return;
        }
        int index = 0;
        for (var name : item.shared().names()) {
            var place = below(item.at(), "names", Integer.toString(index++));
            other.shared().names().stream()
                    .filter(name::overlaps)
                    .findFirst()
                    .ifPresent(theirs -> findings.at(
                            place,
                            "shared-names",
                            Shown.quoted(name.text()) + " can match a user or role that " + Shown.quoted(theirs.text())
                                    + " of the tenant "
                                    + Shown.quoted(other.shared().tenant()) + " also matches.",
                            "A user of a ring belongs to one tenant: narrow one of the two patterns."));
        }
    }

    private static void root(Item item, Findings findings) {
        int at = item.shared().roles().indexOf(User.ROOT);
        if (at >= 0) {
            findings.at(
                    below(item.at(), "roles", Integer.toString(at)),
                    "reserved-name",
                    "The role \"root\" may do everything in the ring, and is not shared.",
                    "Name a role of the ring with the keys that the tenant needs.");
        }
    }

    /// Those that say which ring they mean.
    private Stream<Item> items(int tenant) {
        var list = below(TENANTS, Integer.toString(tenant), SHARED);
        return IntStream.range(0, document.items(path(list)).size())
                .mapToObj(i -> below(list, Integer.toString(i)))
                .flatMap(at -> item(tenant, at).stream());
    }

    private Optional<Item> item(int tenant, List<String> at) {
        String owner = document.text(path(below(TENANTS, Integer.toString(tenant), "name")))
                .orElse("");
        return document.text(path(below(at, "namespace")))
                .flatMap(namespace ->
                        document.text(path(below(at, "name"))).map(name -> new ClusterRef(namespace, name)))
                .map(ring -> new Item(
                        tenant,
                        new SharedRing(
                                owner,
                                ring,
                                document.texts(path(below(at, "prefixes"))),
                                document.texts(path(below(at, "names"))).stream()
                                        .map(Glob::new)
                                        .toList(),
                                document.texts(path(below(at, "roles")))),
                        at));
    }

    private static List<String> below(List<String> at, String... fields) {
        return Stream.concat(at.stream(), Stream.of(fields)).toList();
    }

    private static String[] path(List<String> at) {
        return at.toArray(String[]::new);
    }
}
