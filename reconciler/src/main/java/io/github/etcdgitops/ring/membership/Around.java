package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The objects around a new ring: first what its members need, and what leads clients to them once clients
/// are admitted.
public final class Around {
    private Around() {}

    public static Step members() {
        return apply(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.BUDGET);
    }

    /// For a new ring.
    public static Optional<Step> certificates(Tls tls) {
        return tls.transport().secured()
                ? Optional.of(new TlsStep.IssueCertificates(
                        tls, Authorities.of(tls.authority().number())))
                : Optional.empty();
    }

    public static Step clients() {
        return apply(ManagedObject.CLIENT_SERVICE, ManagedObject.CONNECTION);
    }

    /// What makes the addresses of the members known.
    public static Step addresses() {
        return apply(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.CONNECTION);
    }

    private static Step apply(ManagedObject... objects) {
        return new ObjectStep.ApplyObjects(new TreeSet<>(Set.of(objects)));
    }
}
