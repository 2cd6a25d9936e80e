package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.Room;
import io.github.etcdgitops.gateway.RestoreJobs.V2KeysJob;
import io.github.etcdgitops.gateway.kube.manifest.V2KeysManifest;
import io.github.etcdgitops.gateway.kube.read.RestorePhases;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class V2KeysManifestTest {
    private static final V2KeysJob JOB = new V2KeysJob(
            Samples.full(),
            new Room("data-orders-0", "uid-7", Optional.of("node-a")),
            "a1",
            Duration.ofMinutes(10),
            "0123abcd");

    @Test
    void readsBesideTheMemberAndCanWriteNothing() {
        var job = Rendered.as(Job.class, V2KeysManifest.of(JOB));
        var pod = job.getSpec().getTemplate().getSpec();
        var container = pod.getContainers().getFirst();

        assertThat(pod.getContainers()).hasSize(1);
        assertThat(pod.getInitContainers()).isNullOrEmpty();
        assertThat(container.getCommand()).containsExactly("/usr/local/bin/etcdutl");
        assertThat(container.getArgs()).containsExactly("check", "v2store", "--data-dir=/var/lib/etcd-kept/a1");
        assertThat(container.getVolumeMounts())
                .singleElement()
                .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
        assertThat(pod.getVolumes())
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getPersistentVolumeClaim().getClaimName())
                                .isEqualTo("data-orders-0"));
        assertThat(pod.getAffinity().toString()).contains("node-a");
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isPositive();
    }

    @Test
    void nameDiffersFromThoseOfOtherJobsOfTheVolume() {
        assertThat(JOB.name())
                .endsWith("-keys")
                .isNotEqualTo(RestoreJobs.roomName(Samples.ORDERS, "uid-7", "0123abcd"))
                .isNotEqualTo(RestoreJobs.v2KeysName(Samples.ORDERS, "uid-8", "0123abcd"));
    }

    private static Phase phase(int code, String said) throws IOException {
        var mapper = new ObjectMapper();
        var pod = mapper.createObjectNode();
        var status = pod.putObject("status").put("phase", code == 0 ? "Succeeded" : "Failed");
        status.putArray("containerStatuses")
                .addObject()
                .put("name", "v2-keys")
                .putObject("state")
                .putObject("terminated")
                .put("exitCode", code)
                .put("message", said);
        return RestorePhases.of(mapper.readTree("{}"), Optional.of(pod));
    }

    @Test
    void succeedsWhereThereAreNone() throws IOException {
        assertThat(phase(0, "")).isEqualTo(new Phase.Succeeded());
    }

    private static boolean keys(String said) throws IOException {
        return phase(1, said) instanceof Phase.Failed(var container, var unused, var alsoUnused, String excerpt)
                && V2Data.meansKeys(container, excerpt);
    }

    /// As etcdutl 3.5.30 and 3.5.33 say it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Error: detected custom content in v2store",
                "Error: detected custom v2 content in WAL records",
                "Error: detected custom v2 content in both v2store and WAL records"
            })
    void saysWhatWasFound(String said) throws IOException {
        assertThat(keys(said)).isTrue();
    }

    /// etcdutl ends with 1 there, too.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Error: unknown command \"check\" for \"etcdutl\"",
                "Error: open /var/lib/etcd-kept/a1/member/wal: no such file or directory",
                "Error: failed to remove orphaned .snap.db file db.tmp123: read-only file system"
            })
    void takesNoOtherEndForKeys(String said) throws IOException {
        assertThat(keys(said)).isFalse();
    }
}
