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

/// Gives a member another pod, because its container exits again and again. This is attempt `number`. The
/// cause may be the node, or something that the pod has mounted. Its data stays, and other members are not
/// touched.
///
/// The id covers this exact pod: the next pod is another operation. A failure leaves the old pod or a new
/// one. The attempt is counted before the deletion, and once.
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
        return Resolved.NOTHING.image(image);
    }

    /// The member does not run, and nothing else is touched.
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
