package io.github.etcdgitops.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.SnapshotContents;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final EtcdVersion VERSION = new EtcdVersion(3, 5, 16);

    /// A restored member of revision 812 that was compacted at 700 and has 99 keys.
    private static EtcdGateway member() {
        return (EtcdGateway) Proxy.newProxyInstance(
                ComparisonTest.class.getClassLoader(),
                new Class<?>[] {EtcdGateway.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "hashKeys" -> hash((long) arguments[1]);
                    case "countKeys" -> 99L;
                    default -> throw new AssertionError(method.getName());
                });
    }

    private static KeyHash hash(long revision) {
        if (revision > 812) {
            throw new GatewayException(GatewayException.Kind.REJECTED, false, "required revision is a future revision");
        }
        return new KeyHash(revision == 0 ? 812 : revision, 700, 42);
    }

    private static String compared(KvHash... hashes) {
        var contents = new SnapshotContents(VERSION, 810, OptionalLong.of(99), List.of(hashes));
        return new Comparison(member(), (MemberAccess.Route) null, contents, () -> 0)
                .with(VERSION, 0)
                .toString();
    }

    @Test
    void comparesHashAtSameRevision() {
        assertThat(compared(new KvHash(810, 700, 42, List.of("a")))).contains("Alike", "hash 42 at revision 810");
        assertThat(compared(new KvHash(810, 700, 43, List.of("a"))))
                .contains("Differs", "the hash at revision 810 is 42");
    }

    /// The revision alone says less, and still shows a backup that lacks what it should have.
    @Test
    void comparesTheShownRevisionOfDataWithUsers() {
        assertThat(ofUsers(810)).contains("Alike", "revision 810", "hash and keys not compared");
        assertThat(ofUsers(809)).contains("Differs", "the revision is 809", "of revision 810 at least");
    }

    private static String ofUsers(long shown) {
        var refusing = (EtcdGateway) Proxy.newProxyInstance(
                ComparisonTest.class.getClassLoader(), new Class<?>[] {EtcdGateway.class}, (_, _, _) -> {
                    throw new GatewayException(GatewayException.Kind.UNAUTHORIZED, false, "user name is empty");
                });
        var contents = new SnapshotContents(VERSION, 810, OptionalLong.of(99), List.of());
        return new Comparison(refusing, (MemberAccess.Route) null, contents, () -> shown)
                .with(VERSION, 0)
                .toString();
    }

    /// Where a compaction came between the hash and the snapshot, the next hash is of a time that the snapshot may not
    /// have reached.
    @Test
    void asksForNoHashAtLaterRevision() {
        assertThat(compared(new KvHash(810, 650, 42, List.of("a")), new KvHash(815, 700, 44, List.of("a"))))
                .contains("Alike", "hash not comparable", "99 keys");
    }
}
