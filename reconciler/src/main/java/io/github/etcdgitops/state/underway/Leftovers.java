package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What remains in Kubernetes of a deleted ring, by name. `former` are claims of members that had left
/// earlier; `objects` are the others, as `Secret orders-ca`. The names of Secrets and the Lease follow from
/// what the journal says was created: a process that only plans may not read them.
public record Leftovers(ClusterRef ref, SortedMap<Integer, ClaimState> former, List<String> objects, boolean ordered) {
    public Leftovers {
        former = Collections.unmodifiableSortedMap(new TreeMap<>(former));
        objects = List.copyOf(objects);
    }

    public static Leftovers of(ClusterRef ref, KubeState kube, Journal journal) {
        var issuer = journal.past().certificates().flatMap(Journal.Certificates::issuer);
        var objects = new ArrayList<String>();
        issuer.ifPresent(by -> objects.addAll(certificates(ref, by, journal)));
        if (kube.configs().optional().filter(c -> c.isEmpty()).isEmpty()) {
            objects.add("ConfigMap " + ref.name() + "-members");
        }
        if (journal.past().adopted().isPresent()) {
            objects.add("ConfigMap " + ref.name() + "-adopted");
        }
        objects.add("ConfigMap " + ref.name() + "-journal");
        objects.add("Lease " + ref.name() + "-etcd-gitops");
        return new Leftovers(
                ref,
                former(kube, journal),
                objects,
                issuer.filter(Tls.Issuer.CERT_MANAGER::equals).isPresent());
    }

    private static List<String> certificates(ClusterRef ref, Tls.Issuer issuer, Journal journal) {
        var names = new ArrayList<String>();
        if (issuer == Tls.Issuer.BUILT_IN) {
            names.add("Secret " + ref.name() + "-ca (with the CA's private key)");
            if (!journal.applied().trusted().equals(Authorities.FIRST)) {
                names.add("Secret " + ref.name() + "-ca-next");
            }
        }
        if (issuer != Tls.Issuer.SECRET) {
            for (String use : List.of("-peer-tls", "-server-tls", "-client-tls")) {
                if (issuer == Tls.Issuer.CERT_MANAGER) {
                    names.add("Certificate " + ref.name() + use);
                }
                names.add("Secret " + ref.name() + use);
            }
        }
        return names;
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
                                        .filter(o -> o.startsWith("Secret "))
                                        .map(o -> o.substring("Secret ".length()))
                                        .toList())
                : delete + "configmap,secret,lease" + labels;
    }

    /// In the form that kubectl accepts.
    public static String labels(ClusterRef ref) {
        return " -l app.kubernetes.io/managed-by=etcd-gitops,etcdgitops.dev/cluster=" + ref.name();
    }

    /// What remains now, and how to delete it.
    public String afterwards() {
        return "these are left: "
                + formerVolumes()
                        .map(volumes -> volumes + ", which a tombstone with `data: deleteRetained`" + " deletes; ")
                        .orElse("")
                + String.join(", ", objects) + ", which `" + command() + "` deletes";
    }
}
