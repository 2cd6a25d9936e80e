package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RingVolumes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/// The gateways of one process. Once it was killed in a call it makes no other one: its `finally` blocks
/// do not run, though the Java code around it cannot know that.
final class OneProcess {
    final KubernetesGateway kubernetes;
    final EtcdGateway etcd;
    final RestoreJobs jobs;
    final RingVolumes volumes;
    private boolean killed;

    OneProcess(FakeWorld world) {
        kubernetes = mortal(KubernetesGateway.class, world.kubernetes());
        etcd = mortal(EtcdGateway.class, world.etcd());
        volumes = mortal(RingVolumes.class, world.volumes().port());
        jobs = mortal(RestoreJobs.class, world.jobs().port());
    }

    private <T> T mortal(Class<T> port, T behind) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (_, method, args) -> call(behind, method, args)));
    }

    private Object call(Object behind, Method method, Object[] args) throws Throwable {
        if (killed) {
            throw new StillDead();
        }
        try {
            return method.invoke(behind, args);
        } catch (InvocationTargetException e) {
            killed |= e.getCause() instanceof Crash;
            throw e.getCause();
        }
    }

    /// A killed process was asked for another call.
    static final class StillDead extends Error {
        private static final long serialVersionUID = 1L;

        StillDead() {
            super("this process was killed", null, false, false);
        }
    }
}
