package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import java.util.ArrayList;
import java.util.List;

/// Completes the adoption of a ring whose members all run our template: the ring drops their former peer
/// URLs, and clients find it by our Service.
///
/// Restarts nothing. A failure leaves members with one extra peer URL.
public record SettleAdoption(ClusterRef ref, int size, Transport transport) implements Operation {
    @Override
    public String kind() {
        return "SettleAdoption";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "settled members=" + size;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.transport(transport);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public String reason() {
        return "the ring was adopted, and its members still have their former addresses";
    }

    @Override
    public String summary() {
        return "remove the former addresses of " + size + " members";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        for (int ordinal = 0; ordinal < size; ordinal++) {
            steps.add(new TlsStep.AdvertisePeers(ordinal, transport));
        }
        steps.add(new AdoptStep.TakeService());
        steps.add(Around.clients());
        steps.add(new AdoptStep.CloseAdoption());
        return List.copyOf(steps);
    }
}
