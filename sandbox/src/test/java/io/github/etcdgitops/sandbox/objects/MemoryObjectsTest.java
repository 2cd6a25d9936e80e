package io.github.etcdgitops.sandbox.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What the contract over HTTP does not reach.
class MemoryObjectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final MemoryObjects objects = new MemoryObjects(InstantSource.system(), 10);

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, int code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    /// Five digits are not enough for so many by chance.
    @Test
    void generatesEachNameOnce() {
        for (int i = 0; i < 5_000; i++) {
            objects.create(Resource.EVENT, "default", json("{'metadata': {'generateName': 'e-'}}"));
        }

        assertThat(objects.list(Resource.EVENT, "default").items()).hasSize(5_000);
    }

    @Test
    void losesNoUpdateOfManyAtOnce() throws Exception {
        objects.create(Resource.CONFIG_MAP, "default", json("{'metadata': {'name': 'c'}, 'data': {'n': '0'}}"));

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var writes = new ArrayList<Future<?>>();
            for (int i = 0; i < 200; i++) {
                writes.add(executor.submit(() -> objects.update(Resource.CONFIG_MAP, "default", "c", map -> {
                    int n = map.at("/data/n").asInt();
                    map.withObject("/data").put("n", Integer.toString(n + 1));
                    return map;
                })));
            }
            for (Future<?> write : writes) {
                write.get();
            }
        }

        assertThat(objects.find(Resource.CONFIG_MAP, "default", "c")
                        .orElseThrow()
                        .at("/data/n")
                        .asText())
                .isEqualTo("200");
    }

    @Test
    void handsOutCopies() {
        ObjectNode created = objects.create(Resource.CONFIG_MAP, "default", json("{'metadata': {'name': 'c'}}"));
        created.put("data", "changed");
        objects.list(Resource.CONFIG_MAP, "default").items().getFirst().put("data", "changed");

        assertThat(objects.find(Resource.CONFIG_MAP, "default", "c")
                        .orElseThrow()
                        .has("data"))
                .isFalse();
    }

    @Test
    void tellsAReaderThatFellTooFarBehind() {
        try (Watch watch = objects.watch(Resource.CONFIG_MAP, "", 0)) {
            for (int i = 0; i <= 10; i++) {
                objects.create(Resource.CONFIG_MAP, "default", json("{'metadata': {'name': 'c" + i + "'}}"));
            }

            refused(() -> watch.next(Duration.ofSeconds(1)), 410);
            refused(() -> objects.watch(Resource.CONFIG_MAP, "", 3), 410);
        }
    }

    @Test
    void removesANamespaceWithItsLastFinalizer() {
        objects.delete(Resource.NAMESPACE, "", "default", Deletion.PLAIN);
        ObjectNode ending = objects.find(Resource.NAMESPACE, "", "default").orElseThrow();

        objects.updateStatus(Resource.NAMESPACE, "", "default", namespace -> {
            namespace.withObject("/spec").remove("finalizers");
            return namespace;
        });

        assertThat(ending.at("/status/phase").asText()).isEqualTo("Terminating");
        assertThat(objects.find(Resource.NAMESPACE, "", "default")).isEmpty();
    }

    @Test
    void bindsAPodAndAClaimOnce() {
        pod("p", "True");
        objects.updateStatus(Resource.POD, "default", "p", pod -> {
            pod.withObject("/spec").put("nodeName", "two");
            return pod;
        });

        assertThat(objects.find(Resource.POD, "default", "p")
                        .orElseThrow()
                        .at("/spec/nodeName")
                        .asText())
                .isEqualTo("one");
    }

    @Test
    void letsAClaimGrowWhereItsClassAllowsThat() {
        objects.create(Resource.STORAGE_CLASS, "", json("""
            {'metadata': {'name': 'growing',
              'annotations': {'storageclass.kubernetes.io/is-default-class': 'true'}},
             'provisioner': 'p', 'allowVolumeExpansion': true}\
            """));
        ObjectNode claim = objects.create(Resource.PERSISTENT_VOLUME_CLAIM, "default", json("""
            {'metadata': {'name': 'c'}, 'spec': {'accessModes': ['ReadWriteOnce'],
             'resources': {'requests': {'storage': '1Gi'}}}}\
            """));
        objects.updateStatus(Resource.PERSISTENT_VOLUME_CLAIM, "default", "c", bound -> {
            bound.withObject("/spec").put("volumeName", "v");
            bound.withObject("/status").put("phase", "Bound");
            return bound;
        });

        assertThat(claim.at("/spec/storageClassName").asText()).isEqualTo("growing");
        assertThat(resized("2Gi").at("/spec/resources/requests/storage").asText())
                .isEqualTo("2Gi");
        refused(() -> resized("1Gi"), 422);
    }

    private ObjectNode resized(String size) {
        return objects.update(Resource.PERSISTENT_VOLUME_CLAIM, "default", "c", claim -> {
            claim.withObject("/spec/resources/requests").put("storage", size);
            return claim;
        });
    }

    private void pod(String name, String ready) {
        objects.create(
                Resource.POD,
                "default",
                json("{'metadata': {'name': '" + name
                        + "', 'labels': {'a': 'b'}},"
                        + " 'spec': {'nodeName': 'one', 'containers': [{'name': 'c', 'image': 'c'}]}}"));
        objects.updateStatus(Resource.POD, "default", name, pod -> {
            pod.withObject("/status")
                    .put("phase", "Running")
                    .putArray("conditions")
                    .add(json("{'type': 'Ready', 'status': '" + ready + "'}"));
            return pod;
        });
    }

    private void budget(String status) {
        objects.create(
                Resource.POD_DISRUPTION_BUDGET,
                "default",
                json("{'metadata': {'name': 'b'},"
                        + " 'spec': {'minAvailable': 1, 'selector': {'matchLabels': {'a': 'b'}}}}"));
        objects.updateStatus(Resource.POD_DISRUPTION_BUDGET, "default", "b", budget -> {
            budget.set("status", json(status));
            return budget;
        });
    }

    @Test
    void refusesAnEvictionUntilTheBudgetWasLookedAt() {
        pod("p", "True");
        budget("{'observedGeneration': 0, 'disruptionsAllowed': 1, 'currentHealthy': 2, 'desiredHealthy': 1}");

        refused(() -> objects.evict("default", "p", Deletion.PLAIN), 429);
    }

    @Test
    void notesWhomABudgetLetGo() {
        pod("p", "True");
        budget("{'observedGeneration': 1, 'disruptionsAllowed': 1, 'currentHealthy': 2, 'desiredHealthy': 1}");

        objects.evict("default", "p", Deletion.PLAIN);

        ObjectNode budget =
                objects.find(Resource.POD_DISRUPTION_BUDGET, "default", "b").orElseThrow();
        assertThat(budget.at("/status/disruptionsAllowed").asInt()).isZero();
        assertThat(budget.at("/status/disruptedPods").has("p")).isTrue();
    }

    @Test
    void evictsAnUnreadyPodWhereEnoughOthersAreHealthy() {
        pod("p", "False");
        budget("{'observedGeneration': 1, 'disruptionsAllowed': 0, 'currentHealthy': 1, 'desiredHealthy': 1}");

        objects.evict("default", "p", Deletion.PLAIN);

        assertThat(Meta.deleting(objects.find(Resource.POD, "default", "p").orElseThrow()))
                .isTrue();
    }

    @Test
    void keepsNothingOfADryRun() {
        KubeObjects tried = objects.dryRun();

        tried.create(Resource.CONFIG_MAP, "default", json("{'metadata': {'name': 'tried'}}"));

        assertThat(tried.find(Resource.CONFIG_MAP, "default", "tried")).isPresent();
        assertThat(objects.find(Resource.CONFIG_MAP, "default", "tried")).isEmpty();
    }
}
