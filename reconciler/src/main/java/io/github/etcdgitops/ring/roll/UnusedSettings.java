package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.SettingsInUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Settings in a member's file that the member does not run with. What it does not tell counts as in use, and so
/// does what the file leaves to etcd.
public final class UnusedSettings {
    private UnusedSettings() {}

    /// For people, like `quotaBackendBytes is 2147483648 instead of 4294967296`; empty where nothing is known to
    /// differ.
    public static Optional<String> of(MemberSettings wanted, SettingsInUse reported) {
        var unused = new ArrayList<String>();
        if (wanted.options().get(Configuration.QUOTA) instanceof Number quota) {
            reported.quota()
                    .filter(used -> used != quota.longValue())
                    .ifPresent(used -> unused.add(Configuration.QUOTA + " is " + used + " instead of " + quota));
        }
        wanted.features().stream()
                .filter(gate -> Boolean.FALSE.equals(reported.features().get(gate)))
                .map(FeatureGate::title)
                .forEach(gate -> unused.add(gate + " is off instead of on"));
        return unused.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", unused));
    }

    /// From what members tell in their status. Not while members restart with other settings, or have those of a
    /// former setup.
    public static List<Finding> findings(ClusterRef ref, Journal journal, RingState ring) {
        return journal.roll().isPresent() || journal.unsettled()
                ? List.of()
                : ring.byOrdinal(ref).entrySet().stream()
                        .flatMap(member -> finding(ref, journal.applied(), member))
                        .toList();
    }

    private static Stream<Finding> finding(
            ClusterRef ref, MemberSettings applied, Map.Entry<Integer, MemberState> member) {
        String name = ref.podName(member.getKey());
        return member.getValue().status().optional().stream()
                .map(status -> new SettingsInUse(status.storage().quota(), Map.of()))
                .flatMap(reported -> of(applied, reported).stream())
                .map(unused -> new Finding(
                        Level.WARNING,
                        FindingCode.SETTING_NOT_IN_USE,
                        "in the member " + name + ", " + unused
                                + ". Look at its file in the ConfigMap " + ref.name() + "-members. If the wanted value"
                                + " is there, etcd " + applied.version()
                                + " ignores it: report that, and choose another"
                                + " release. If not, someone changed the file by hand: replace the member"));
    }
}
