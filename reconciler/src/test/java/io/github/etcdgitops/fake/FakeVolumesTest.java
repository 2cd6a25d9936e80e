package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.fail;

import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.RingVolumesContract;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import java.util.function.Predicate;

class FakeVolumesTest extends RingVolumesContract {
    @Override
    protected World open() {
        return new OnFake(new FakeWorld());
    }

    private record OnFake(FakeWorld world) implements World {
        @Override
        public KubernetesGateway gateway() {
            return world.kubernetes();
        }

        @Override
        public RingVolumes volumes() {
            return world.volumes().port();
        }

        @Override
        public String namespace() {
            return "demo";
        }

        @Override
        public String storageClass(boolean grows) {
            String name = grows ? "grows" : "does-not-grow";
            world.volumes().storageClass(name, grows ? Expansion.ALLOWED : Expansion.NOT_ALLOWED);
            return name;
        }

        @Override
        public KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until) {
            for (int tries = 0; tries < 30; tries++) {
                var state = world.kubernetes().read(ref, claims);
                if (until.test(state)) {
                    return state;
                }
                world.tick();
            }
            return fail("not so within 30 ticks");
        }

        @Override
        public void awaitNode(ClusterRef ref, int ordinal) {
            await(ref, 1, s -> s.pods().optional().orElseThrow().containsKey(ordinal));
        }

        @Override
        public void close() {
            // Nothing is left behind.
        }
    }
}
