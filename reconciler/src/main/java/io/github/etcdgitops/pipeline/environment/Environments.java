package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which rings a run may touch. Every ring belongs to exactly one environment, which is one Kubernetes
/// cluster. A run names its own, so two Kubernetes clusters that watch one repository never create the same
/// ring twice.
public final class Environments {
    /// Used where neither flag nor Fleet names one.
    public static final String DEFAULT = Fleet.DEFAULT_ENVIRONMENT;

    private Environments() {}

    /// The environment of this run.
    public static String ofRun(Optional<String> asked, Fleet fleet) {
        var names = fleet.environments().stream().map(Fleet.Environment::name).toList();
        if (asked.isPresent()) {
            if (!names.isEmpty() && !names.contains(asked.get())) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "the Fleet has no environment " + asked.get() + "; it has " + String.join(", ", names));
            }
            return asked.get();
        }
        if (names.size() > 1) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "the Fleet has several environments (" + String.join(", ", names)
                            + "): name one with --environment");
        }
        return names.isEmpty() ? DEFAULT : names.getFirst();
    }

    /// The rings of one environment, sorted.
    public static List<EtcdClusterSpec> rings(DesiredState desired, String environment) {
        return desired.rings().values().stream()
                .filter(ring -> of(ring, desired.fleet()).equals(environment))
                .toList();
    }

    /// The environments of all described rings.
    public static SortedSet<String> all(DesiredState desired) {
        return desired.rings().values().stream()
                .map(ring -> of(ring, desired.fleet()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String of(EtcdClusterSpec ring, Fleet fleet) {
        return ring.declaration()
                .environment()
                .or(() -> fleet.environmentOfPath(ring.declaration().source().file()))
                .or(() -> fleet.environments().size() == 1
                        ? Optional.of(fleet.environments().getFirst().name())
                        : Optional.empty())
                .orElse(DEFAULT);
    }

    /// The same for the UID on record in the Fleet itself.
    public static void requireKubernetes(String environment, Fleet fleet, String uid) {
        var recorded = fleet.environment(environment).flatMap(Fleet.Environment::kubeSystemUid);
        requireKubernetes(environment, recorded, uid, "recorded in the Fleet");
    }

    /// Refuses a Kubernetes cluster other than the one on record in the Fleet or the report branch.
    public static void requireKubernetes(String environment, Optional<String> recorded, String uid, String where) {
        if (recorded.filter(r -> !r.equals(uid)).isPresent()) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "wrong Kubernetes cluster: environment " + environment
                            + " is the cluster whose kube-system has UID " + recorded.get() + " (" + where
                            + "), and this one has " + uid + ". Nothing was done");
        }
    }
}
