package io.github.etcdgitops.sandbox.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// What etcd-gitops relies on of any API server. Nothing in it needs a controller, a scheduler or a kubelet,
/// and nothing is disturbed by them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ApiContract
        implements WriteClaims,
                DefaultClaims,
                RefusalClaims,
                JobClaims,
                PatchClaims,
                DeletionClaims,
                ListClaims,
                WatchClaims,
                AccessClaims,
                EvictionClaims {
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
    public KubeUnderTest kube() {
        return kube;
    }
}
