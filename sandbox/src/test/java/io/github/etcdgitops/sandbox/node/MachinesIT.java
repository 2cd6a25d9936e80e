package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.Await;
import io.github.etcdgitops.sandbox.image.Images;
import io.github.etcdgitops.sandbox.image.OwnImage;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real etcd in pods that nobody but the test made.
class MachinesIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private final MemoryObjects objects = new MemoryObjects(InstantSource.system());
    private Machines machines;
    private Ring ring;

    @BeforeEach
    void startsRingOfThree() throws Exception {
        String version = Etcds.require(List.of("3.5.16", "3.5.30", "3.4.23"));
        var settings = new MachineSettings(
                folder.resolve("machines"),
                2,
                MachineSettings.of(folder, 2).backOff(),
                Duration.ofMillis(500),
                Duration.ofMillis(200));
        var images = new Images(Etcds.installed(), OwnImage.ofCheckout("etcd-gitops", folder));
        machines = Machines.start(objects, images, settings, InstantSource.system(), System.out::println);
        ring = new Ring(objects, folder.resolve("volumes"), "web", 3, version);
        ring.create();
        try {
            Await.until("the ring is ready", LONG, ring::ready);
        } catch (AssertionError e) {
            System.out.println(objects.list(Resource.POD, "").items());
            System.out.println(log(0));
            machines.close();
            throw e;
        }
    }

    @AfterEach
    void noProcessIsLeft() throws Exception {
        if (machines == null) {
            // No etcd at hand: the test was skipped before anything was started.
            return;
        }
        machines.close();

        assertThat(Files.readString(folder.resolve("machines/processes"))).isEmpty();
        assertThat(Machines.endLeftovers(folder.resolve("machines"))).isZero();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    /// As when somebody deletes its folder while it runs.
    @Test
    void endsWhenItsFolderWasTakenAway() throws Exception {
        Files.move(folder.resolve("machines"), folder.resolve("elsewhere"));
        var closing = Thread.ofVirtual().start(() -> {
            try {
                machines.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        Await.until("the end", LONG, () -> !closing.isAlive());

        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
        machines = null;
    }

    @Test
    void isolatedMemberLosesLeaderAndRecovers() throws Exception {
        ring.put(0, "a", "1");
        assertThat(ring.get(2, "a")).contains("1");

        machines.isolate(Ring.NAMESPACE, ring.pod(0));
        Await.until("no leader", LONG, () -> ring.leader(0).equals("0"));
        Await.until("not ready", LONG, () -> !ring.ready(0));
        Await.until("the others have one", LONG, () -> !ring.leader(1).equals("0"));
        ring.put(1, "a", "2");
        machines.heal(Ring.NAMESPACE, ring.pod(0));

        Await.until("ready again", LONG, () -> ring.ready());
        assertThat(ring.get(0, "a")).contains("2");
    }

    @Test
    void killedMemberRestartsWithItsData() throws Exception {
        ring.put(0, "a", "1");

        machines.killPod(Ring.NAMESPACE, ring.pod(1));
        Await.until(
                "restarted", LONG, () -> ring.container(1).path("restartCount").asInt() == 1);
        Await.until("ready", LONG, ring::ready);

        assertThat(ring.container(1).at("/lastState/terminated/exitCode").asInt())
                .isEqualTo(137);
        assertThat(ring.get(1, "a")).contains("1");
        assertThat(log(1)).contains("published local member to cluster");
    }

    @Test
    void wipedVolumeIsEmptyAndSealedMemberStaysDown() throws Exception {
        objects.update(Resource.CONFIG_MAP, Ring.NAMESPACE, "web-members", members -> {
            members.withObjectProperty("data").put("web-2.yaml", ring.sealed(2));
            return members;
        });

        Files.createDirectories(ring.volume(2).resolve("old/data"));

        machines.wipeVolume(Ring.NAMESPACE, ring.pod(2));

        Await.until(
                "it does not come up under its old identity",
                LONG,
                () -> ring.container(2).path("restartCount").asInt() >= 2);
        assertThat(ring.ready(2)).isFalse();
        assertThat(ring.volume(2).resolve("old")).doesNotExist();
    }

    @Test
    void lostVolumeKeepsPodWaiting() throws Exception {
        machines.loseVolume(Ring.NAMESPACE, ring.pod(2));

        Await.until(
                "waits for its volume",
                LONG,
                () -> ring.container(2).at("/state/waiting/message").asText().contains("\"pv-web-2\" not found"));
        assertThat(ring.volume(2)).doesNotExist();
        assertThat(folder.resolve("machines/lost")).isNotEmptyDirectory();
    }

    @Test
    void updatesMountedFilesOfChangedConfigMap() throws Exception {
        objects.update(Resource.CONFIG_MAP, Ring.NAMESPACE, "web-members", members -> {
            members.withObjectProperty("data").put("new.yaml", "url: http://0.0.0.0:1");
            return members;
        });

        String uid = objects.find(Resource.POD, Ring.NAMESPACE, ring.pod(0))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        Path file = folder.resolve("machines/pods/" + uid + "/volumes/members/new.yaml");
        Await.until("the file is there", LONG, () -> Files.exists(file));
        assertThat(Files.readString(file))
                .isEqualTo("url: http://" + ring.status(0).path("podIP").asText() + ":1");
    }

    @Test
    void ringFindsSuccessorOfDeletedPodByName() throws Exception {
        String before = ring.status(2).path("podIP").asText();

        objects.delete(Resource.POD, Ring.NAMESPACE, ring.pod(2), Deletion.PLAIN);
        Await.until(
                "gone",
                LONG,
                () -> objects.find(Resource.POD, Ring.NAMESPACE, ring.pod(2)).isEmpty());
        Await.until(
                "its output is gone",
                LONG,
                () -> machines.open(Ring.NAMESPACE, ring.pod(2), "etcd", false).isEmpty());
        ring.createPod(2);
        Await.until("ready", LONG, ring::ready);

        assertThat(ring.status(2).path("podIP").asText()).isNotEqualTo(before);
        assertThat(ring.container(2).path("restartCount").asInt()).isZero();
    }

    @Test
    void unreachableNodeDeletesPodOnceItIsBack() throws Exception {
        machines.nodeGone("node-1");
        objects.delete(Resource.POD, Ring.NAMESPACE, ring.pod(0), Deletion.PLAIN);

        assertThat(ring.leader(1)).isEqualTo("0");
        assertThat(objects.find(Resource.NODE, "", "node-1").orElseThrow().at("/status/conditions/0/status"))
                .hasToString("\"Unknown\"");

        machines.nodeBack("node-1");
        Await.until(
                "gone",
                LONG,
                () -> objects.find(Resource.POD, Ring.NAMESPACE, ring.pod(0)).isEmpty());
        Await.until(
                "started again",
                LONG,
                () -> ring.container(1).path("restartCount").asInt() == 1);
        Await.until("two are ready", LONG, () -> ring.ready(1) && ring.ready(2));
    }

    /// What its members missed is theirs once it goes on. A pod that is wanted there no more goes on for a while.
    @Test
    void frozenNodeResumes() throws Exception {
        String pod = ring.pod(2);
        long process = ring.container(2).at("/state/running").hashCode();
        ring.put(0, "a", "1");
        String node = objects.find(Resource.POD, Ring.NAMESPACE, pod)
                .orElseThrow()
                .at("/spec/nodeName")
                .asText();

        machines.nodeFrozen(node);
        assertThat(objects.find(Resource.NODE, "", node).orElseThrow().at("/status/conditions/0/status"))
                .hasToString("\"Unknown\"");
        machines.nodeBack(node);

        Await.until("ready", LONG, () -> ring.ready() && ring.get(2, "a").equals(Optional.of("1")));
        assertThat(ring.container(2).path("restartCount").asInt()).isZero();
        assertThat(ring.container(2).at("/state/running").hashCode()).isEqualTo(process);
    }

    @Test
    void forceDeletedPodEndsWhenNodeThaws() throws Exception {
        String pod = ring.pod(2);
        String node = objects.find(Resource.POD, Ring.NAMESPACE, pod)
                .orElseThrow()
                .at("/spec/nodeName")
                .asText();
        machines.nodeFrozen(node);

        objects.delete(Resource.POD, Ring.NAMESPACE, pod, Deletion.AT_ONCE);
        assertThat(machines.open(Ring.NAMESPACE, pod, "etcd", false)).isPresent();
        objects.delete(Resource.NODE, "", node, Deletion.PLAIN);
        machines.nodeBack(node);

        assertThat(objects.find(Resource.NODE, "", node)).isPresent();
        Await.until(
                "its end",
                LONG,
                () -> machines.open(Ring.NAMESPACE, pod, "etcd", false).isEmpty());
    }

    private String log(int ordinal) throws Exception {
        try (InputStream log =
                machines.open(Ring.NAMESPACE, ring.pod(ordinal), "etcd", false).orElseThrow()) {
            return new String(log.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
