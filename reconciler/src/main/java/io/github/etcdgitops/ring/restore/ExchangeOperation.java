package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// Ends a ring, so that another one of its name and on its volumes can start from a backup. It starts only
/// with an approval that names the cluster ID of the ring that ends.
public sealed interface ExchangeOperation extends Operation permits RecoverQuorum, RestoreInPlace {
    Exchange exchange();

    @Override
    default Resolved resolved() {
        return exchange().resolved();
    }

    @Override
    default Risk risk() {
        return exchange().risk();
    }

    @Override
    default Consent consent() {
        return exchange().consent();
    }

    @Override
    default Optional<EtcdId> toBeNamed() {
        return Optional.of(exchange().former());
    }

    @Override
    default List<Step> steps() {
        return exchange().steps(id());
    }
}
