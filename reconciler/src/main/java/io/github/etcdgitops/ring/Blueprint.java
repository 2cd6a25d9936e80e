package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;

/// What members are started from: their configuration with the image, the pod template, the volume, where their
/// certificates come from, and who may reach them.
public record Blueprint(
        MemberSettings members,
        Optional<String> pullPolicy,
        PodTemplate template,
        Storage storage,
        Tls tls,
        NetworkAccess network) {
    /// The image that the ring's own pods are started from. Empty where its journal does not say.
    public static Optional<String> running(KubeState kube) {
        return applied(kube).flatMap(MemberSettings::image);
    }

    /// The same, where a journal of long ago says the version alone.
    public static Optional<String> running(EtcdClusterSpec spec, KubeState kube) {
        return applied(kube).flatMap(applied -> like(spec, applied).members().image());
    }

    private static Optional<MemberSettings> applied(KubeState kube) {
        return kube.journal()
                .optional()
                .flatMap(journal -> journal)
                .map(journal -> journal.journal().applied());
    }

    /// Of a member that is to be like those that run. Journals of long ago do not say which image that is: then it is
    /// the tag of their version.
    public static Blueprint like(EtcdClusterSpec spec, MemberSettings running) {
        return of(
                spec,
                running.image().isPresent()
                        ? running
                        : running.with(running.version(), spec.server().imageOf(running.version())));
    }

    /// Of members that are configured as `members` says; everything else is as the document of the ring has it.
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
