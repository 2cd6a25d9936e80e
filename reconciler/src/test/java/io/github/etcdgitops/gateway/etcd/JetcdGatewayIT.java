package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.EtcdGatewayContract;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.spec.EtcdVersion;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The contract against real processes of each version.
class JetcdGatewayIT {
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3325 extends OnRealEtcd {
        Etcd3325() {
            super("3.3.25");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3423 extends OnRealEtcd {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3516 extends OnRealEtcd {
        Etcd3516() {
            super("3.5.16");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3530 extends OnRealEtcd {
        Etcd3530() {
            super("3.5.30");
        }
    }

    abstract static class OnRealEtcd extends EtcdGatewayContract {
        private final String version;

        OnRealEtcd(String version) {
            this.version = version;
        }

        @Override
        protected Ring found(int voters) {
            return new RealRing(
                    EtcdVersion.parse(version).orElseThrow(),
                    EtcdRing.start(EtcdBinaries.require(version), voters),
                    new JetcdGateway());
        }
    }

    private record RealRing(EtcdVersion version, EtcdRing processes, EtcdGateway gateway)
            implements EtcdGatewayContract.Ring {
        @Override
        public MemberAccess.Route route(int ordinal) {
            return member(ordinal).route("m" + ordinal + ".test");
        }

        @Override
        public String peerUrl(int ordinal) {
            return member(ordinal).peerUrl();
        }

        @Override
        public void startJoining(int ordinal, List<Integer> listed) {
            processes.join(member(ordinal), listed.stream().map(this::member).toList());
        }

        @Override
        public void kill(int ordinal) {
            member(ordinal).kill();
        }

        @Override
        public void restart(int ordinal) {
            processes.restart(member(ordinal));
        }

        @Override
        public void freeze(int ordinal) {
            member(ordinal).pause();
        }

        @Override
        public void await(String what, BooleanSupplier condition) {
            EtcdProcess.await(what, Duration.ofSeconds(30), condition);
        }

        @Override
        public void close() {
            processes.close();
            gateway.close();
        }

        private EtcdProcess member(int ordinal) {
            while (processes.members().size() <= ordinal) {
                processes.prepare();
            }
            return processes.member(ordinal);
        }
    }
}
