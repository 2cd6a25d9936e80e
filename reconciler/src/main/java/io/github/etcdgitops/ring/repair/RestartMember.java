package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// A member whose container ends again and again gets another pod, for the time of this `number`: maybe it
/// was the machine, or what the pod had mounted. Its data stays, and its siblings are not touched.
///
/// The id is that of this very pod: the next one is another operation. A failure leaves the pod, or a
/// new one; it was counted before it was deleted, and once.
public record RestartMember(
        ClusterRef ref, int ordinal, EtcdId member, String pod, int number, int most, Optional<String> image)
        implements Operation {
    /// From an image that no journal names.
    public RestartMember(ClusterRef ref, int ordinal, EtcdId member, String pod, int number, int most) {
        this(ref, ordinal, member, pod, number, most, Optional.empty());
    }

    @Override
    public String kind() {
        return "RestartMember";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "another pod than " + pod + " ordinal=" + ordinal + " member=" + member;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.and("image", image);
    }

    /// It does not run, and nothing else is touched.
    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public Consent consent() {
        return Consent.PERMITTED;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return "the container of " + ref.podName(ordinal) + " exits again and again";
    }

    @Override
    public String summary() {
        return "restart " + ref.podName(ordinal) + " in another pod (" + number + " of " + most + ")";
    }

    @Override
    public List<Step> steps() {
        return List.of(new RestartStep.NoteTry(ordinal, pod, number), new RestartStep.FreePod(ordinal, pod));
    }
}
