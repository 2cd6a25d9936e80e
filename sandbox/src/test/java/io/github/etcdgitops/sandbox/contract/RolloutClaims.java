package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Revisions, and which pods get them when.
interface RolloutClaims {
    Workloads workloads();

    @Test
    default void beginsWithOneRevisionThatAllPodsHave() {
        workloads().create(Workloads.ring("first", 2), 2);

        Reply set = workloads().set("first");
        String revision = set.at("/status/currentRevision");
        assertThat(revision).startsWith("first-").isEqualTo(set.at("/status/updateRevision"));
        assertThat(workloads().revision("first-0")).isEqualTo(revision);
        assertThat(workloads().revision("first-1")).isEqualTo(revision);
        assertThat(set.body().at("/status/currentReplicas").asInt()).isEqualTo(2);
        assertThat(set.body().at("/status/updatedReplicas").asInt()).isEqualTo(2);
        assertThat(set.at("/status/collisionCount")).isEqualTo("0");
        Reply kept = workloads().kube().get("controllerrevisions", revision);
        assertThat(kept.at("/revision")).isEqualTo("1");
        assertThat(kept.at("/metadata/labels/app")).isEqualTo("first");
        assertThat(kept.at("/metadata/ownerReferences/0/uid")).isEqualTo(set.uid());
        assertThat(kept.at("/data/spec/template/metadata/annotations/template")).isEqualTo("one");
    }

    @Test
    default void rollsNothingBelowThePartitionAndBringsLostPodsBackAsTheyWere() {
        workloads().create(Workloads.ring("pinned", 2), 2);
        String old = workloads().set("pinned").at("/status/currentRevision");
        String uid = workloads().pod("pinned-0").uid();
        String lost = workloads().pod("pinned-1").uid();

        workloads().template("pinned", "two");
        await(() -> !workloads().set("pinned").at("/status/updateRevision").equals(old));
        workloads().deletePod("pinned-1");
        await(() -> workloads().isAtRest("pinned", 2)
                && !workloads().pod("pinned-1").uid().equals(lost));

        Reply set = workloads().set("pinned");
        assertThat(set.at("/status/currentRevision")).isEqualTo(old);
        assertThat(set.body().at("/status/updatedReplicas").asInt()).isZero();
        assertThat(set.body().at("/status/currentReplicas").asInt()).isEqualTo(2);
        assertThat(workloads().pod("pinned-0").uid()).isEqualTo(uid);
        assertThat(workloads().revision("pinned-1")).isEqualTo(old);
        assertThat(workloads().pod("pinned-1").at("/metadata/annotations/template"))
                .isEqualTo("one");
    }

    @Test
    default void rollsDownToThePartitionAndMovesTheCurrentRevisionOnlyAtTheEnd() {
        workloads().create(Workloads.ring("lowered", 3), 3);
        String old = workloads().set("lowered").at("/status/currentRevision");

        workloads().template("lowered", "two");
        workloads().partition("lowered", 2);
        await(() ->
                !workloads().revision("lowered-2").equals(old) && workloads().isAtRest("lowered", 3));
        Reply half = workloads().set("lowered");
        String uid = workloads().pod("lowered-2").uid();
        workloads().partition("lowered", 0);
        await(() -> !workloads().set("lowered").at("/status/currentRevision").equals(old));

        assertThat(half.at("/status/currentRevision")).isEqualTo(old);
        assertThat(half.body().at("/status/currentReplicas").asInt()).isEqualTo(2);
        assertThat(half.body().at("/status/updatedReplicas").asInt()).isEqualTo(1);
        Reply whole = workloads().set("lowered");
        assertThat(whole.at("/status/currentRevision"))
                .isEqualTo(whole.at("/status/updateRevision"))
                .isEqualTo(half.at("/status/updateRevision"));
        assertThat(whole.body().at("/status/currentReplicas").asInt()).isEqualTo(3);
        assertThat(workloads().pod("lowered-2").uid()).isEqualTo(uid);
        assertThat(workloads().revision("lowered-0")).isEqualTo(whole.at("/status/currentRevision"));
    }

    @Test
    default void goesBackToAnEarlierTemplateByTheNameThatItHad() {
        workloads().create(Workloads.ring("back", 1), 1);
        String old = workloads().set("back").at("/status/updateRevision");

        workloads().template("back", "two");
        await(() -> !workloads().set("back").at("/status/updateRevision").equals(old));
        workloads().template("back", "one");
        await(() -> workloads().set("back").at("/status/updateRevision").equals(old));

        assertThat(workloads().kube().get("controllerrevisions", old).at("/revision"))
                .isEqualTo("3");
    }

    @Test
    default void waitsWithTheNextPodForTheOneAboveToBeReady() {
        workloads().create(Workloads.ring("waits", 2), 2);
        String uid = workloads().pod("waits-0").uid();
        String old = workloads().revision("waits-0");

        workloads().kube().merge("statefulsets", "waits", """
                        {'spec': {'updateStrategy': {'rollingUpdate': {'partition': 0}},
                         'template': {'metadata': {'labels': {'unready': 'yes'}}, 'spec': {'containers': [
                          {'name': 'etcd', 'image': 'gcr.io/etcd-development/etcd:v3.5.16',
                           'command': ['/usr/local/bin/etcd', '--data-dir=/tmp/etcd'],
                           'readinessProbe': {'tcpSocket': {'port': 1}}}]}}}}""");
        await(() -> !workloads().revision("waits-1").equals(old)
                && workloads().pod("waits-1").at("/status/phase").equals("Running")
                && workloads().set("waits").body().at("/status/updatedReplicas").asInt() == 1);

        assertThat(workloads().pod("waits-0").uid()).isEqualTo(uid);
        assertThat(workloads().set("waits").at("/status/currentRevision")).isEqualTo(old);
    }
}
