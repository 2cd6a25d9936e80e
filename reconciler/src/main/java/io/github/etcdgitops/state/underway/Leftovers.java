package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What remains in Kubernetes of a deleted ring, by name. `former` are claims of members that had left
/// earlier; `objects` are the others. The names of Secrets and the Lease follow from what the journal says
/// was created: a process that only plans may not read them. `ordered` says that cert-manager issues the
/// certificates: it fills a Secret again as long as its Certificate exists.
public record Leftovers(ClusterRef ref, SortedMap<Integer, ClaimState> former, List<Item> objects, boolean ordered) {
    /// One object, printed like `Secret orders-ca (with the CA's private key)`. `remark` is what a reader
    /// must know about its content.
    public record Item(Type type, String name, Optional<String> remark) {
        private static Item of(Type type, String name) {
            return new Item(type, name, Optional.empty());
        }

        @Override
        public String toString() {
            return type.wire() + " " + name
                    + remark.map(text -> " (" + text + ")").orElse("");
        }
    }

    /// By its name in Kubernetes.
    public enum Type implements WireName {
        CERTIFICATE,
        CONFIG_MAP,
        LEASE,
        SECRET;

        @Override
        public String wire() {
            return switch (this) {
                case CERTIFICATE -> "Certificate";
                case CONFIG_MAP -> "ConfigMap";
                case LEASE -> "Lease";
                case SECRET -> "Secret";
            };
        }
    }

    public Leftovers {
        former = Collections.unmodifiableSortedMap(new TreeMap<>(former));
        objects = List.copyOf(objects);
    }

    public static Leftovers of(ClusterRef ref, KubeState kube, Journal journal) {
        var issuer = journal.past().certificates().flatMap(Journal.Certificates::issuer);
        var objects = new ArrayList<Item>();
        issuer.ifPresent(by -> objects.addAll(certificates(ref, by, journal)));
        if (kube.configs().optional().filter(c -> c.isEmpty()).isEmpty()) {
            objects.add(configs(ref));
        }
        if (journal.past().adopted().isPresent()) {
            objects.add(Item.of(Type.CONFIG_MAP, ref.name() + "-adopted"));
        }
        objects.add(Item.of(Type.CONFIG_MAP, ref.name() + "-journal"));
        objects.add(Item.of(Type.LEASE, ref.name() + "-etcd-gitops"));
        return new Leftovers(
                ref,
                former(kube, journal),
                objects,
                issuer.filter(Tls.Issuer.CERT_MANAGER::equals).isPresent());
    }

    /// The members' configurations.
    public static Item configs(ClusterRef ref) {
        return Item.of(Type.CONFIG_MAP, ref.name() + "-members");
    }

    private static List<Item> certificates(ClusterRef ref, Tls.Issuer issuer, Journal journal) {
        var items = new ArrayList<Item>();
        if (issuer == Tls.Issuer.BUILT_IN) {
            items.add(new Item(Type.SECRET, ref.name() + "-ca", Optional.of("with the CA's private key")));
            if (!journal.applied().trusted().equals(Authorities.FIRST)) {
                items.add(Item.of(Type.SECRET, ref.name() + "-ca-next"));
            }
        }
        if (issuer != Tls.Issuer.SECRET) {
            for (String use : List.of("-peer-tls", "-server-tls", "-client-tls")) {
                if (issuer == Tls.Issuer.CERT_MANAGER) {
                    items.add(Item.of(Type.CERTIFICATE, ref.name() + use));
                }
                items.add(Item.of(Type.SECRET, ref.name() + use));
            }
        }
        return items;
    }

    /// The claims that the journal names, UID by ordinal.
    public static SortedMap<Integer, String> members(Journal journal) {
        var claims = new TreeMap<Integer, String>();
        journal.members().forEach((ordinal, member) -> member.claimUid().ifPresent(uid -> claims.put(ordinal, uid)));
        return claims;
    }

    /// Our claims, of ordinals without a member.
    private static SortedMap<Integer, ClaimState> former(KubeState kube, Journal journal) {
        var former = new TreeMap<Integer, ClaimState>();
        kube.claims()
                .optional()
                .ifPresent(claims -> claims.forEach((ordinal, claim) -> {
                    if (claim.ours() && !journal.members().containsKey(ordinal)) {
                        former.put(ordinal, claim);
                    }
                }));
        return former;
    }

    /// Empty where no member had left and kept its volume.
    public Optional<String> formerVolumes() {
        return former.isEmpty()
                ? Optional.empty()
                : Optional.of("the volumes of former members: "
                        + String.join(
                                ", ",
                                former.values().stream()
                                        .map(claim -> claim.name() + " (UID " + claim.uid() + ")")
                                        .toList()));
    }

    /// The command that deletes them once no volume is left. It names labels that only objects of this ring
    /// have.
    public String command() {
        String labels = labels(ref);
        String delete = "kubectl -n " + ref.namespace() + " delete ";
        return ordered
                ? delete + "certificate,configmap,lease" + labels + " && " + delete + "secret "
                        + String.join(
                                " ",
                                objects.stream()
                                        .filter(o -> o.type() == Type.SECRET)
                                        .map(Item::name)
                                        .toList())
                : delete + "configmap,secret,lease" + labels;
    }

    /// In the form that kubectl accepts.
    public static String labels(ClusterRef ref) {
        return " -l app.kubernetes.io/managed-by=etcd-gitops,etcdgitops.dev/cluster=" + ref.name();
    }

    /// The objects in one line.
    public String listed() {
        return objects.stream().map(Item::toString).collect(Collectors.joining(", "));
    }

    /// What remains now, and how to delete it.
    public String afterwards() {
        return "these are left: "
                + formerVolumes()
                        .map(volumes -> volumes + ", which a tombstone with `data: deleteRetained`" + " deletes; ")
                        .orElse("")
                + listed() + ", which `" + command() + "` deletes";
    }
}
