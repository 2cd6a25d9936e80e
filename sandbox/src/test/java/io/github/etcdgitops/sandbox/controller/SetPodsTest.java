package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.Ownership.Claim;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SetPodsTest {
    private final ObjectNode set = Sample.set(3, 3);

    @Test
    void givesEachPodItsIdentity() {
        ObjectNode revision = Revisions.choose(set, List.of(), List.of()).update();

        ObjectNode pod = SetPods.pod(set, revision, 2);

        assertThat(Meta.name(pod)).isEqualTo("ring-2");
        assertThat(Meta.labels(pod))
                .isEqualTo(Sample.of(
                        "{app: etcd, extra: x, statefulset.kubernetes.io/pod-name: ring-2, controller-revision-hash: %s}"
                                .formatted(Meta.name(revision))));
        assertThat(pod.at("/metadata/annotations/template").asText()).isEqualTo("one");
        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("ring-2");
        assertThat(pod.at("/spec/subdomain").asText()).isEqualTo("ring-peer");
        assertThat(Ownership.controlledBy(pod, set)).isTrue();
    }

    @Test
    void mountsTheClaimInPlaceOfTheVolumeOfItsName() {
        ObjectNode pod =
                SetPods.pod(set, Revisions.choose(set, List.of(), List.of()).update(), 0);

        assertThat(PodState.claims(pod)).containsExactly("data-ring-0");
        assertThat(pod.at("/spec/volumes").size()).isEqualTo(2);
        assertThat(pod.at("/spec/volumes/1/configMap/name").asText()).isEqualTo("ring-members");
    }

    @Test
    void labelsClaimsWithTheSelectorAndTheirTemplateAndGivesThemNoOwner() {
        ObjectNode claim = SetPods.claims(set, 1).getFirst();

        assertThat(Meta.name(claim)).isEqualTo("data-ring-1");
        assertThat(Meta.labels(claim)).isEqualTo(Sample.of("{own: label, app: etcd}"));
        assertThat(Ownership.references(claim)).isEmpty();
    }

    @Test
    void adoptsAPodWithoutOwnerAndReleasesOneWhoseLabelsNoLongerMatch() {
        ObjectNode orphan = Ownership.without(Sample.pod(0, "x"), any -> true);
        ObjectNode strange = Sample.pod(0, "x");
        Meta.of(strange).putObject("labels");

        assertThat(Ownership.claim(set, Sample.pod(0, "x"), any -> true)).isEqualTo(Claim.OURS);
        assertThat(Ownership.claim(set, orphan, any -> true)).isEqualTo(Claim.ADOPT);
        assertThat(Ownership.claim(set, orphan, any -> false)).isEqualTo(Claim.NOT_OURS);
        assertThat(Ownership.claim(set, strange, any -> true)).isEqualTo(Claim.RELEASE);
    }

    @Test
    void adoptsNothingWhileItIsBeingDeletedAndNothingThatIs() {
        ObjectNode orphan = Ownership.without(Sample.pod(0, "x"), any -> true);

        assertThat(Ownership.claim(set, Sample.ending(orphan.deepCopy()), any -> true))
                .isEqualTo(Claim.NOT_OURS);
        assertThat(Ownership.claim(Sample.ending(set), orphan, any -> true)).isEqualTo(Claim.NOT_OURS);
    }
}
