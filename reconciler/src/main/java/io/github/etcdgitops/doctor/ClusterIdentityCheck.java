package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.List;

/// Whether this is the Kubernetes cluster of the environment's rings.
final class ClusterIdentityCheck {
    static final String REMEDY = "let this identity get the namespace kube-system";

    private static final String NAME = "which Kubernetes";

    private ClusterIdentityCheck() {}

    static Check of(String uid, Expected expected) {
        if (expected.environment().isEmpty()) {
            return new Check.Skipped(
                    NAME, "kube-system has UID " + uid + "; the repository could not be asked which one it means");
        }
        String environment = expected.environment().get();
        if (expected.fleetRecord().filter(r -> !r.equals(uid)).isPresent()) {
            return wrong(uid, environment, expected.fleetRecord().get(), "the Fleet");
        }
        if (expected.branchRecord().filter(r -> !r.equals(uid)).isPresent()) {
            return wrong(uid, environment, expected.branchRecord().get(), "the report branch");
        }
        String seen = "kube-system has UID " + uid + ", ";
        return new Check.Ok(
                NAME,
                expected.fleetRecord().isPresent()
                        ? seen + "as the Fleet says of " + environment
                        : expected.branchRecord().isPresent()
                                ? seen + "as the report branch of " + environment + " says"
                                : seen + "on record nowhere yet; kubeSystemUid in the Fleet pins it");
    }

    private static Check wrong(String uid, String environment, String recorded, String where) {
        return new Check.Failed(
                NAME,
                Trouble.CONFIGURATION,
                "kube-system has UID " + uid + ", and " + where + " has " + recorded + " for environment "
                        + environment,
                List.of("take the kubeconfig of that Kubernetes, or name another environment with --environment"));
    }
}
