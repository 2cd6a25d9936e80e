package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;

/// What members start from: their configuration with the image, the pod template, the volume, the source of
/// their certificates, and who may reach them.
public record Blueprint(
        MemberSettings members,
        Optional<String> pullPolicy,
        PodTemplate template,
        Storage storage,
        Tls tls,
        NetworkAccess network) {
    /// The image that the ring's pods run. Empty where its journal does not name it.
    public static Optional<String> running(KubeState kube) {
        return applied(kube).flatMap(MemberSettings::image);
    }

    /// The same; where an old journal names only the version, the image follows from the version.
    public static Optional<String> running(EtcdClusterSpec spec, KubeState kube) {
        return applied(kube).flatMap(applied -> like(spec, applied).members().image());
    }

    private static Optional<MemberSettings> applied(KubeState kube) {
        return kube.knownJournal().map(journal -> journal.applied());
    }

    /// For a member that is configured like the running ones. Old journals do not name the image: then it
    /// is the tag of their version.
    public static Blueprint like(EtcdClusterSpec spec, MemberSettings running) {
        return of(
                spec,
                running.image().isPresent()
                        ? running
                        : running.with(running.version(), spec.server().imageOf(running.version())));
    }

    /// For members configured as `members` says. Everything else comes from the ring's document.
    public static Blueprint of(EtcdClusterSpec spec, MemberSettings members) {
        return new Blueprint(
                members,
                spec.server().image().pullPolicy(),
                spec.podTemplate(),
                spec.storage(),
                spec.server().tls(),
                spec.network());
    }
}
