package io.github.etcdgitops.sandbox.contract;

/// The contract holds of real controllers, with a real kubelet: otherwise it says nothing.
class RealControllersIT extends ControllersContract {
    @Override
    KubeUnderTest open() {
        return RealKube.open();
    }
}
