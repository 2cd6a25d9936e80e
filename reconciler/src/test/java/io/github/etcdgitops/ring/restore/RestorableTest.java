package io.github.etcdgitops.ring.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Source;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Destination;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RestorableTest {
    private static final long GIB = 1L << 30;
    private static final Destination PLACE = new Destination.Directory("/backups", "");

    private static Optional<String> refusal(EtcdClusterSpec spec, Source source, Optional<Long> bump) {
        return Restorable.refusal(spec, new RestoreOrder("again", source, bump));
    }

    private static EtcdClusterSpec spec(int size, String version) {
        return Given.spec(Manifests.ORDERS, size, version);
    }

    private static EtcdClusterSpec sized(String storage, Map<String, Object> options) {
        var spec = spec(3, "3.5.16");
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                new EtcdClusterSpec.Server(
                        spec.server().version(), spec.server().image(), new TreeMap<>(options)),
                new EtcdClusterSpec.Storage(storage, Optional.empty()),
                spec.podTemplate(),
                spec.network(),
                spec.declaration());
    }

    private static Source bare(long size) {
        return new Stored.Bare(PLACE, "orders.db", size);
    }

    private static Source of3516() {
        String id = "20260102T030405Z";
        return new Stored.Certified(PLACE, Manifests.key(id), Manifests.manifest(id));
    }

    @Test
    void takesWhatFits() {
        assertThat(refusal(spec(3, "3.5.16"), of3516(), Optional.empty())).isEmpty();
        assertThat(refusal(spec(3, "3.5.30"), of3516(), Optional.of(1000L))).isEmpty();
        assertThat(refusal(spec(1, "3.3.25"), bare(20_512), Optional.empty())).isEmpty();
        assertThat(refusal(sized("2112Mi", Map.of()), bare(GIB), Optional.empty()))
                .isEmpty();
    }

    @Test
    void growsNoRingThatHasNoLearners() {
        assertThat(refusal(spec(3, "3.3.25"), bare(20_512), Optional.empty()).orElseThrow())
                .contains("3.3.25 has no learners", "Restore with 3.4 or later");
    }

    @Test
    void readsNothingNewerThanItself() {
        assertThat(refusal(spec(3, "3.4.23"), of3516(), Optional.empty()).orElseThrow())
                .contains("comes from etcd 3.5.16", "Set spec.version to 3.5.16 or later");
    }

    @Test
    void raisesNoRevisionWhereEtcdCannot() {
        assertThat(refusal(spec(3, "3.5.9"), bare(20_512), Optional.of(1000L)).orElseThrow())
                .contains("3.5.9 cannot raise the revision", "Leave bumpRevision out");
    }

    @Test
    void fillsNoRingAboveItsQuota() {
        assertThat(refusal(sized("8Gi", Map.of("quotaBackendBytes", GIB)), bare(GIB + 1), Optional.empty())
                        .orElseThrow())
                .contains("Raise spec.etcd.quotaBackendBytes");
        assertThat(refusal(sized("8Gi", Map.of()), bare(2 * GIB + 1), Optional.empty())
                        .orElseThrow())
                .contains("Raise spec.etcd.quotaBackendBytes");
    }

    @Test
    void requiresSpaceForSnapshotDataAndWal() {
        assertThat(refusal(sized("2112Mi", Map.of()), bare(GIB + 1), Optional.empty())
                        .orElseThrow())
                .contains("volumes of 2112Mi are too small", "Raise spec.storage.size");
    }
}
