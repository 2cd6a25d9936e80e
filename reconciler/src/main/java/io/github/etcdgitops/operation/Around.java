package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.step.ObjectStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The objects around a new ring: what its members need, and later, when clients may come, what leads
/// them there.
final class Around {
    private Around() {}

    static Step members() {
        return apply(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.BUDGET);
    }

    /// For a ring that is to begin.
    static Optional<Step> certificates(Tls tls) {
        return tls.transport().secured()
                ? Optional.of(new TlsStep.IssueCertificates(
                        tls, Authorities.of(tls.authority().number())))
                : Optional.empty();
    }

    static Step clients() {
        return apply(ManagedObject.CLIENT_SERVICE, ManagedObject.CONNECTION);
    }

    /// What tells others where the members are.
    static Step addresses() {
        return apply(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.CONNECTION);
    }

    private static Step apply(ManagedObject... objects) {
        return new ObjectStep.ApplyObjects(new TreeSet<>(Set.of(objects)));
    }
}
