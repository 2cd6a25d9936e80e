package io.github.etcdgitops.sandbox.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// What etcd-gitops relies on of the controllers: partitioned rollouts and their revisions, the status of
/// budgets, the binding of claims, Jobs.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ControllersContract
        implements RolloutClaims,
                ScaleClaims,
                VolumeClaims,
                GrowthClaims,
                AvailabilityClaims,
                OwnerClaims,
                JobRunClaims {
    private KubeUnderTest kube;

    abstract KubeUnderTest open();

    @BeforeAll
    void openKube() {
        kube = open();
    }

    @AfterAll
    void closeKube() {
        if (kube != null) {
            kube.close();
        }
    }

    @Override
    public Workloads workloads() {
        return new Workloads(kube);
    }
}
