package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The configuration that the members of a running ring should have.
public final class Configuration {
    public static final String QUOTA = "quotaBackendBytes";

    private Configuration() {}

    /// The target of the roll under way, else the next configuration.
    public static MemberSettings target(
            EtcdClusterSpec spec, KubeState kube, SortedMap<String, Observed<Expansion>> classes) {
        return kube.knownJournal()
                .flatMap(j -> j.roll())
                .map(Intent.Roll::target)
                .orElseGet(() -> next(spec, kube, classes));
    }

    /// The spec's options at the running version and with the current transport; version and transport
    /// follow one after the other.
    ///
    /// As long as another version is to come, the image stays: the spec's image is not one of the running
    /// version. Where the volumes are smaller than the spec asks for, and cannot grow before, the quota
    /// stays: the spec's quota is for larger volumes.
    public static MemberSettings next(
            EtcdClusterSpec spec, KubeState kube, SortedMap<String, Observed<Expansion>> classes) {
        return unsettled(kube)
                ? now(spec, kube)
                : with(spec, kube, VolumeGrowth.of(spec, kube, classes).feasible());
    }

    /// The same, for volumes as they are now.
    public static MemberSettings now(EtcdClusterSpec spec, KubeState kube) {
        return with(spec, kube, VolumeGrowth.sized(spec, kube));
    }

    private static MemberSettings with(EtcdClusterSpec spec, KubeState kube, boolean sized) {
        var server = spec.server();
        var applied = kube.appliedOr(server);
        var image = applied.version().equals(server.version())
                ? Optional.of(server.imageOf(server.version()))
                : applied.image();
        var options = new TreeMap<>(server.options());
        if (!sized) {
            options.remove(QUOTA);
            Optional.ofNullable(applied.options().get(QUOTA)).ifPresent(quota -> options.put(QUOTA, quota));
        }
        return new MemberSettings(
                applied.version(),
                options,
                image,
                applied.transport(),
                applied.trusted(),
                unsettled(kube) ? applied.features() : server.features().ofMembers(applied.version()));
    }

    /// Changes beyond the adoption itself wait: volumes grow later, and feature gates apply only to a ring
    /// that is completely ours.
    private static boolean unsettled(KubeState kube) {
        return kube.foreign() || kube.unsettled();
    }
}
