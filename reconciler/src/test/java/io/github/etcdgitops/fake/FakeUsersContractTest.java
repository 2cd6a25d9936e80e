package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.gateway.RingUsersContract;
import io.github.etcdgitops.gateway.UsersUnderTest;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/// The fake keeps users as etcd does, by the suite that real etcd passes.
class FakeUsersContractTest {
    @Nested
    class V34 extends OnFake {
        V34() {
            super("3.4.23", Caller.NOBODY);
        }
    }

    @Nested
    class V35 extends OnFake {
        V35() {
            super("3.5.33", Caller.NOBODY);
        }
    }

    @Nested
    class V36 extends OnFake {
        V36() {
            super("3.6.14", Caller.STRANGER);
        }
    }

    @Nested
    class V37 extends OnFake {
        V37() {
            super("3.7.1", Caller.STRANGER);
        }
    }

    abstract static class OnFake extends RingUsersContract {
        private final String version;
        private final Caller stranger;

        OnFake(String version, Caller stranger) {
            this.version = version;
            this.stranger = stranger;
        }

        @Override
        protected UsersUnderTest found() {
            var world = Given.ring("demo", "orders").version(version).members(1).build();
            return new FakeRingOfUsers(new Hands(world, new ClusterRef("demo", "orders")), version, stranger);
        }
    }

    private static final class FakeRingOfUsers implements UsersUnderTest {
        private final Hands hands;
        private final String version;
        private final Caller stranger;

        FakeRingOfUsers(Hands hands, String version, Caller stranger) {
            this.hands = hands;
            this.version = version;
            this.stranger = stranger;
        }

        @Override
        public EtcdVersion version() {
            return EtcdVersion.parse(version).orElseThrow();
        }

        @Override
        public boolean secured() {
            return stranger == Caller.STRANGER;
        }

        @Override
        public RingUsers users() {
            return hands.world.users();
        }

        @Override
        public RingUsers strangers() {
            return hands.world.users(stranger);
        }

        @Override
        public MemberAccess.Route route() {
            String ip = Optional.ofNullable(hands.pod(0)).flatMap(p -> p.ip()).orElse("none");
            return hands.world.access().open(hands.ref, 0, ip, MemberAccess.Door.CLIENT);
        }

        @Override
        public boolean lets(String user, Access access, KeyRange keys) {
            return (secured() || hands.faults.users().accepts(user, PASSWORD))
                    && hands.faults.users().permits(user, access, keys);
        }

        @Override
        public void close() {}
    }
}
