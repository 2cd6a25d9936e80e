package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.Claims.Next;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
    private static final ObjectNode STANDARD = Sample.of(
            "{metadata: {name: standard}, provisioner: %s, allowVolumeExpansion: true}".formatted(Claims.PROVISIONER));

    @Test
    void provisionsForItsOwnClassOnly() {
        ObjectNode claim = claim("", "Pending");
        ObjectNode foreign = STANDARD.deepCopy().put("provisioner", "somebody.else");

        assertThat(next(claim, STANDARD, null, false)).isEqualTo(Next.PROVISION);
        assertThat(next(claim, foreign, null, false)).isEqualTo(Next.NOTHING);
        assertThat(next(claim, null, null, false)).isEqualTo(Next.NOTHING);
    }

    @Test
    void letsAClaimGoOnlyWhenNoPodHasIt() {
        ObjectNode claim = Sample.ending(claim("v", "Bound"));

        assertThat(next(claim, STANDARD, volume("c-uid"), true)).isEqualTo(Next.NOTHING);
        assertThat(next(claim, STANDARD, volume("c-uid"), false)).isEqualTo(Next.LET_GO);
    }

    @Test
    void losesAClaimWhoseVolumeIsGoneOrSomebodyElses() {
        assertThat(next(claim("v", "Bound"), STANDARD, null, true)).isEqualTo(Next.LOSE);
        assertThat(next(claim("v", "Bound"), STANDARD, volume("other"), true)).isEqualTo(Next.LOSE);
        assertThat(next(claim("v", "Lost"), STANDARD, null, true)).isEqualTo(Next.NOTHING);
        assertThat(next(claim("v", "Pending"), STANDARD, null, true)).isEqualTo(Next.NOTHING);
    }

    @Test
    void bindsTheVolumeThatTheClaimNames() {
        assertThat(next(claim("v", "Pending"), STANDARD, volume(""), false)).isEqualTo(Next.BIND);
        assertThat(next(claim("v", "Pending"), STANDARD, volume("c-uid"), false))
                .isEqualTo(Next.BIND);
        assertThat(next(claim("v", "Bound"), STANDARD, volume("c-uid"), false)).isEqualTo(Next.NOTHING);
    }

    @Test
    void growsWhereTheClassAllowsIt() {
        ObjectNode claim = claim("v", "Bound");
        claim.withObjectProperty("status").putObject("capacity").put("storage", "512Mi");
        ObjectNode rigid = STANDARD.deepCopy().put("allowVolumeExpansion", false);

        assertThat(next(claim, STANDARD, volume("c-uid"), true)).isEqualTo(Next.GROW);
        assertThat(next(claim, rigid, volume("c-uid"), true)).isEqualTo(Next.NOTHING);
    }

    @Test
    void reclaimsAVolumeWhenItsClaimIsGoneOrAnotherOne() {
        ObjectNode other = claim("v", "Bound");
        other.withObjectProperty("metadata").put("uid", "another");

        assertThat(Claims.volume(volume("c-uid"), Optional.empty(), true)).isEqualTo(Next.RECLAIM);
        assertThat(Claims.volume(volume("c-uid"), Optional.of(other), true)).isEqualTo(Next.RECLAIM);
        assertThat(Claims.volume(volume("c-uid"), Optional.of(claim("v", "Bound")), true))
                .isEqualTo(Next.NOTHING);
        assertThat(Claims.volume(volume(""), Optional.empty(), true)).isEqualTo(Next.NOTHING);
    }

    @Test
    void keepsARetainedVolumeAndABoundOneThatIsDeleted() {
        ObjectNode retained = volume("c-uid");
        retained.withObjectProperty("spec").put("persistentVolumeReclaimPolicy", "Retain");
        ObjectNode ending = Sample.ending(volume("c-uid"));

        assertThat(Claims.volume(retained, Optional.empty(), true)).isEqualTo(Next.RELEASE);
        assertThat(Claims.volume(ending, Optional.of(claim("v", "Bound")), true))
                .isEqualTo(Next.NOTHING);
        assertThat(Claims.volume(ending, Optional.empty(), true)).isEqualTo(Next.LET_GO);
    }

    @Test
    void provisionsWhereAPodWillBeForAClassThatWaitsForIt() {
        ObjectNode local = STANDARD.deepCopy().put("volumeBindingMode", "WaitForFirstConsumer");
        ObjectNode claim = claim("", "Pending");
        ObjectNode chosen = Mooring.select(claim.deepCopy(), "node-2");

        assertThat(next(claim, local, null, false)).isEqualTo(Next.NOTHING);
        assertThat(next(chosen, local, null, false)).isEqualTo(Next.PROVISION);
        assertThat(Mooring.machine(Claims.newVolume(chosen, local, Path.of("/volumes/v"))))
                .contains("node-2");
        assertThat(Mooring.machine(Claims.newVolume(chosen, STANDARD, Path.of("/volumes/v"))))
                .isEmpty();
    }

    @Test
    void takesNothingAwayThatIsOutOfReach() {
        assertThat(Claims.volume(volume("c-uid"), Optional.empty(), false)).isEqualTo(Next.RELEASE);
    }

    private static Next next(ObjectNode claim, ObjectNode storageClass, ObjectNode volume, boolean used) {
        return Claims.claim(claim, Optional.ofNullable(storageClass), Optional.ofNullable(volume), used);
    }

    private static ObjectNode claim(String volume, String phase) {
        return Sample.of("""
                metadata: {name: data, namespace: a, uid: c-uid, finalizers: [kubernetes.io/pvc-protection]}
                spec: {volumeName: "%s", resources: {requests: {storage: 1Gi}}}
                status: {phase: %s, capacity: {storage: 1Gi}}
                """.formatted(volume, phase));
    }

    private static ObjectNode volume(String claim) {
        return Sample.of("""
                metadata: {name: v, finalizers: [kubernetes.io/pv-protection]}
                spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {uid: "%s"}}
                """.formatted(claim));
    }
}
