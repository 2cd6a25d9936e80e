package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.Await;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the controllers do together and only here: folders, nodes that come and go. The rest is in the
/// contract.
final class ControllersTest {
    private static final String NAMESPACE = "a";

    @TempDir
    private Path volumes;

    private final KubeObjects objects = new MemoryObjects(InstantSource.system());
    private Controllers controllers;
    private FakeMachine machine;

    @BeforeEach
    void start() {
        controllers = Controllers.start(
                objects, new Controllers.Settings(volumes, Duration.ofMillis(500), InstantSource.system()));
        machine = new FakeMachine(objects, "node-1");
        objects.create(Resource.NAMESPACE, "", Sample.of("{metadata: {name: a}}"));
    }

    @AfterEach
    void stop() {
        machine.close();
        controllers.close();
    }

    @Test
    void givesEachClaimAFolderOfItsOwnAndTakesItAwayWithTheClaim() {
        createRing(2);
        await(() -> ready() == 2);
        Path first = folder("data-ring-0");

        scale(1);
        await(() -> objects.list(Resource.POD, NAMESPACE).items().size() == 1);
        objects.delete(Resource.PERSISTENT_VOLUME_CLAIM, NAMESPACE, "data-ring-0", Deletion.PLAIN);
        objects.delete(Resource.PERSISTENT_VOLUME_CLAIM, NAMESPACE, "data-ring-1", Deletion.PLAIN);
        await(() -> list(volumes).size() == 1);

        assertThat(list(volumes)).containsExactly(first);
        assertThat(find(Resource.PERSISTENT_VOLUME_CLAIM, "data-ring-0")).isPresent();
        scale(0);
        await(() -> list(volumes).isEmpty());
        await(() -> objects.list(Resource.PERSISTENT_VOLUME, "").items().isEmpty());
    }

    @Test
    void makesPodsOfALostNodeUnreadyAndKeepsThemTerminatingUntilItConfirms() {
        createRing(1);
        await(() -> ready() == 1);
        String uid = Meta.uid(find(Resource.POD, "ring-0").orElseThrow());

        machine.cutOff(true);
        await(() -> find(Resource.POD, "ring-0").filter(Meta::deleting).isPresent());
        ObjectNode pod = find(Resource.POD, "ring-0").orElseThrow();
        machine.cutOff(false);
        await(() -> ready() == 1);

        assertThat(Meta.uid(pod)).isEqualTo(uid);
        assertThat(PodState.ready(pod)).isFalse();
        assertThat(Meta.uid(find(Resource.POD, "ring-0").orElseThrow())).isNotEqualTo(uid);
    }

    @Test
    void deletesThePodsOfANodeThatSomebodyHasDeleted() {
        createRing(1);
        await(() -> ready() == 1);
        String uid = Meta.uid(find(Resource.POD, "ring-0").orElseThrow());
        machine.cutOff(true);

        objects.delete(Resource.NODE, "", "node-1", Deletion.PLAIN);

        await(() -> find(Resource.POD, "ring-0")
                .filter(pod -> !Meta.uid(pod).equals(uid))
                .isPresent());
        assertThat(PodState.node(find(Resource.POD, "ring-0").orElseThrow())).isEmpty();
    }

    @Test
    void keepsTheVolumeOfASilentMachineAndThePodThatNeedsIt() {
        ObjectNode set = ring(1);
        ((ObjectNode) set.at("/spec/volumeClaimTemplates/0/spec")).put("storageClassName", "local");
        objects.create(Resource.STATEFUL_SET, NAMESPACE, set);
        await(() -> ready() == 1);
        Path folder = folder("data-ring-0");
        try (var other = new FakeMachine(objects, "node-2")) {
            machine.cutOff(true);
            objects.delete(Resource.POD, NAMESPACE, "ring-0", Deletion.AT_ONCE);
            await(() -> find(Resource.POD, "ring-0")
                    .flatMap(pod -> PodState.condition(pod, "PodScheduled"))
                    .filter(scheduled -> !PodState.isTrue(scheduled))
                    .isPresent());

            objects.delete(Resource.PERSISTENT_VOLUME_CLAIM, NAMESPACE, "data-ring-0", Deletion.PLAIN);
            objects.delete(Resource.POD, NAMESPACE, "ring-0", Deletion.AT_ONCE);
            await(() -> ready() == 1);
            assertThat(PodState.node(find(Resource.POD, "ring-0").orElseThrow()))
                    .isEqualTo("node-2");
            assertThat(folder).isDirectory();

            machine.cutOff(false);
            await(() -> !Files.exists(folder));
        }
    }

    @Test
    void refillsAfterManyKills() {
        createRing(3);
        await(() -> ready() == 3);

        for (int round = 0; round < 10; round++) {
            objects.list(Resource.POD, NAMESPACE)
                    .items()
                    .forEach(pod -> objects.delete(Resource.POD, NAMESPACE, Meta.name(pod), Deletion.AT_ONCE));
            await(() -> ready() == 3);
        }

        assertThat(objects.list(Resource.PERSISTENT_VOLUME_CLAIM, NAMESPACE).items())
                .hasSize(3);
        assertThat(objects.list(Resource.CONTROLLER_REVISION, NAMESPACE).items())
                .hasSize(1);
    }

    @Test
    void doesNothingAnyMoreOnceClosed() {
        controllers.close();

        createRing(1);

        assertThat(find(Resource.STATEFUL_SET, "ring")
                        .orElseThrow()
                        .path("status")
                        .path("observedGeneration"))
                .isEqualTo(Sample.of("{}").path("nothing"));
        assertThat(find(Resource.POD, "ring-0")).isEmpty();
    }

    private void createRing(int replicas) {
        objects.create(Resource.STATEFUL_SET, NAMESPACE, ring(replicas));
    }

    private static ObjectNode ring(int replicas) {
        ObjectNode set = Sample.set(replicas, replicas);
        Meta.of(set).remove(List.of("uid", "generation"));
        return set;
    }

    private void scale(int replicas) {
        objects.update(Resource.STATEFUL_SET, NAMESPACE, "ring", set -> {
            set.withObjectProperty("spec").put("replicas", replicas);
            return set;
        });
    }

    private Optional<ObjectNode> find(Resource resource, String name) {
        return objects.find(resource, NAMESPACE, name);
    }

    private int ready() {
        JsonNode set = find(Resource.STATEFUL_SET, "ring").orElseThrow();
        long pods = objects.list(Resource.POD, NAMESPACE).items().stream()
                .filter(pod -> PodState.ready(pod) && !Meta.deleting(pod))
                .count();
        int reported = set.at("/status/readyReplicas").asInt();
        return reported == pods ? reported : -1;
    }

    private Path folder(String claim) {
        String volume = find(Resource.PERSISTENT_VOLUME_CLAIM, claim)
                .orElseThrow()
                .at("/spec/volumeName")
                .asText();
        return Path.of(objects.find(Resource.PERSISTENT_VOLUME, "", volume)
                .orElseThrow()
                .at("/spec/hostPath/path")
                .asText());
    }

    private static List<Path> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(Callable<Boolean> condition) {
        Await.until("what the test waits for", Duration.ofSeconds(20), condition);
    }
}
