package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.fail;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.EtcdGatewayContract;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUnderTest;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.MemberConfig;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Nested;

/// The fake does what etcd does, by the suite that real etcd passes.
class FakeEtcdContractTest {
    @Nested
    class V33 extends OnFake {
        V33() {
            super("3.3.25");
        }
    }

    @Nested
    class V34 extends OnFake {
        V34() {
            super("3.4.23");
        }
    }

    @Nested
    class V35 extends OnFake {
        V35() {
            super("3.5.16");
        }
    }

    @Nested
    class V36 extends OnFake {
        V36() {
            super("3.6.14");
        }
    }

    @Nested
    class V37 extends OnFake {
        V37() {
            super("3.7.1");
        }
    }

    abstract static class OnFake extends EtcdGatewayContract {
        private final String version;

        OnFake(String version) {
            this.version = version;
        }

        @Override
        protected RingUnderTest found(int voters) {
            var world = Given.ring("demo", "orders")
                    .version(version)
                    .members(voters)
                    .build();
            return new FakeContractRing(new Hands(world, new ClusterRef("demo", "orders")), version);
        }
    }

    private record FakeContractRing(Hands hands, String text) implements RingUnderTest {
        @Override
        public EtcdVersion version() {
            return EtcdVersion.parse(text).orElseThrow();
        }

        @Override
        public EtcdGateway gateway() {
            return hands.etcd;
        }

        @Override
        public MemberAccess.Route route(int ordinal) {
            return open(ordinal, MemberAccess.Door.CLIENT);
        }

        @Override
        public MemberAccess.Route metrics(int ordinal) {
            return open(ordinal, MemberAccess.Door.METRICS);
        }

        private MemberAccess.Route open(int ordinal, MemberAccess.Door door) {
            String ip =
                    Optional.ofNullable(hands.pod(ordinal)).flatMap(p -> p.ip()).orElse("none");
            return hands.world.access().open(hands.ref, ordinal, ip, door);
        }

        @Override
        public String peerUrl(int ordinal) {
            return hands.url(ordinal);
        }

        @Override
        public void startJoining(int ordinal, List<Integer> listed) {
            var peers = new TreeMap<Integer, String>();
            listed.forEach(o -> peers.put(o, hands.url(o)));
            hands.config(ordinal, new MemberConfig.Joining("joining", peers));
            hands.scale(ordinal + 1);
        }

        @Override
        public void kill(int ordinal) {
            hands.faults.stop(ordinal);
        }

        @Override
        public void restart(int ordinal) {
            hands.faults.recover(ordinal);
        }

        @Override
        public void freeze(int ordinal) {
            hands.faults.cutOff(ordinal);
        }

        @Override
        public void await(String what, BooleanSupplier condition) {
            for (int i = 0; i < 100; i++) {
                if (condition.getAsBoolean()) {
                    return;
                }
                hands.world.tick();
            }
            fail("waited in vain for " + what);
        }

        @Override
        public void put(String key) {
            hands.faults.put(key);
        }

        @Override
        public void compact(long revision) {
            hands.faults.compact(revision);
        }

        @Override
        public void close() {}
    }
}
