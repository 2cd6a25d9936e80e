package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Quantity;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;
import java.util.TreeMap;

/// What the members of a running ring are to be configured with.
public final class Configuration {
    public static final String QUOTA = "quotaBackendBytes";

    private Configuration() {}

    /// By the roll under way, else what is next.
    public static Journal.Applied target(EtcdClusterSpec spec, KubeState kube) {
        return kube.journal()
                .optional()
                .flatMap(j -> j)
                .flatMap(j -> j.journal().roll())
                .map(Journal.Roll::target)
                .orElseGet(() -> next(spec, kube));
    }

    /// The spec's options at the version that runs and in the way that it is talked to; the others are
    /// reached one after the other.
    ///
    /// As long as another version is to come, the image stays: the spec's is not one of the version
    /// that runs. As long as the volumes are not as large as they should be, the quota stays: the
    /// spec's is one for those.
    public static Journal.Applied next(EtcdClusterSpec spec, KubeState kube) {
        var server = spec.server();
        var applied = kube.appliedOr(server);
        var image = applied.version().equals(server.version())
                ? Optional.of(server.imageOf(server.version()))
                : applied.image();
        var options = new TreeMap<>(server.options());
        if (!sizedAs(spec.storage(), kube)) {
            options.remove(QUOTA);
            Optional.ofNullable(applied.options().get(QUOTA)).ifPresent(quota -> options.put(QUOTA, quota));
        }
        return new Journal.Applied(
                applied.version(),
                options,
                image,
                applied.transport(),
                applied.trusted(),
                server.features().ofMembers(applied.version()));
    }

    private static boolean sizedAs(EtcdClusterSpec.Storage wanted, KubeState kube) {
        return kube.claims().optional().orElseGet(TreeMap::new).values().stream()
                .filter(claim -> !claim.released())
                .allMatch(claim -> Quantity.parse(claim.storage().size()).equals(Quantity.parse(wanted.size())));
    }
}
