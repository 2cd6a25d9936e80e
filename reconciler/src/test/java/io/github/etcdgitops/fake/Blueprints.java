package io.github.etcdgitops.fake;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Optional;
import java.util.TreeMap;

/// What members are started from, where a test is about something else.
public final class Blueprints {
    public static final Blueprint ANY = of(new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>()));

    private Blueprints() {}

    public static Blueprint of(MemberSettings members) {
        return new Blueprint(
                members,
                Optional.empty(),
                new PodTemplate(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
                new Storage("1Gi", Optional.empty()),
                Tls.NONE,
                new NetworkAccess(Optional.empty(), Optional.empty()));
    }
}
