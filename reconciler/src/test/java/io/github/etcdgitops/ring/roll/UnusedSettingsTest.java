package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.spec.value.FeatureGate.COMPACT_HASH_CHECK;
import static io.github.etcdgitops.spec.value.FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.SettingsInUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class UnusedSettingsTest {
    private static final SettingsInUse SILENT = new SettingsInUse(Optional.empty(), Map.of());

    private static final MemberSettings QUOTA =
            wanted(new TreeMap<>(Map.of("quotaBackendBytes", 4294967296L, "snapshotCount", 7000)));
    private static final MemberSettings GATES =
            wanted(new TreeMap<>(), COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG);

    @Test
    void namesEachSettingWithBothValues() {
        assertThat(UnusedSettings.of(QUOTA, told(2147483648L)))
                .contains("quotaBackendBytes is 2147483648 instead of 4294967296");
        assertThat(UnusedSettings.of(
                        GATES, told(Map.of(COMPACT_HASH_CHECK, false, STOP_GRPC_SERVICE_ON_DEFRAG, false))))
                .contains("CompactHashCheck is off instead of on, StopGRPCServiceOnDefrag is off instead of on");
    }

    @Test
    void valuesInUseAreNotNamed() {
        assertThat(UnusedSettings.of(QUOTA, told(4294967296L))).isEmpty();
        assertThat(UnusedSettings.of(GATES, told(Map.of(COMPACT_HASH_CHECK, true, STOP_GRPC_SERVICE_ON_DEFRAG, true))))
                .isEmpty();
    }

    @Test
    void whatAMemberDoesNotTellIsNotNamed() {
        assertThat(UnusedSettings.of(QUOTA, SILENT)).isEmpty();
        assertThat(UnusedSettings.of(GATES, SILENT)).isEmpty();
        assertThat(UnusedSettings.of(GATES, told(Map.of(COMPACT_HASH_CHECK, true))))
                .isEmpty();
    }

    /// A default of etcd may change.
    @Test
    void whatIsLeftToEtcdMayBeAnything() {
        var nothing = wanted(new TreeMap<>());

        assertThat(UnusedSettings.of(nothing, told(1L))).isEmpty();
        assertThat(UnusedSettings.of(nothing, told(Map.of(COMPACT_HASH_CHECK, true))))
                .isEmpty();
    }

    private static SettingsInUse told(long quota) {
        return new SettingsInUse(Optional.of(quota), Map.of());
    }

    private static SettingsInUse told(Map<FeatureGate, Boolean> features) {
        return new SettingsInUse(Optional.empty(), features);
    }

    private static MemberSettings wanted(SortedMap<String, Object> options, FeatureGate... gates) {
        return new MemberSettings(
                new EtcdVersion(3, 7, 1),
                options,
                Optional.empty(),
                Transport.PLAIN,
                Authorities.FIRST,
                new TreeSet<>(List.of(gates)));
    }
}
