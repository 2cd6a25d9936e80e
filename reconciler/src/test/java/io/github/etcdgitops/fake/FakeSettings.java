package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.SettingsInUse;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What members run with, and what they tell of it. A member whose file was never written runs with what the journal
/// says.
final class FakeSettings {
    private FakeSettings() {}

    static SettingsInUse told(FakeMember self) {
        var ring = self.cluster.ring;
        var applied = self.file.or(() -> Optional.ofNullable(ring.journal)
                .map(KubeState.JournalState::journal)
                .map(j -> j.applied()));
        var used = applied.filter(_ -> !ring.ignoresSettings);
        long quota = Space.quota(used.map(MemberSettings::options).orElseGet(Collections::emptySortedMap));
        var on = used.<Set<FeatureGate>>map(MemberSettings::features).orElseGet(Set::of);
        return new SettingsInUse(Optional.of(quota), self.version.atLeast(3, 6, 0) ? features(on) : Map.of());
    }

    private static Map<FeatureGate, Boolean> features(Set<FeatureGate> on) {
        return Arrays.stream(FeatureGate.values())
                .filter(FeatureGate::isOfEtcd)
                .collect(Collectors.toMap(gate -> gate, on::contains));
    }
}
