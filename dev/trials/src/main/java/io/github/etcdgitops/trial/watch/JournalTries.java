package io.github.etcdgitops.trial.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/// Lets time pass for a ring's journal, for which nobody wants to wait.
public record JournalTries(Bench bench, String ring) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// As if nothing had been replaced or tried of late.
    public void forget() {
        edit(journal -> journal.remove("tries"));
    }

    /// As if the last replacement had been long ago, and the last pod an hour.
    public void age() {
        edit(journal -> {
            if (journal.get("tries") instanceof ObjectNode tries) {
                tries.remove("replaced");
                String then = Instant.now().minus(Duration.ofHours(1)).toString();
                tries.path("members").forEach(tried -> ((ObjectNode) tried).put("last", then));
            }
        });
    }

    private void edit(Consumer<ObjectNode> change) {
        bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-journal")
                .edit(map -> new ConfigMapBuilder(map)
                        .addToData("journal.json", changed(map.getData().get("journal.json"), change))
                        .build());
    }

    private static String changed(String text, Consumer<ObjectNode> change) {
        try {
            var journal = (ObjectNode) JSON.readTree(text);
            change.accept(journal);
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(journal);
        } catch (JsonProcessingException e) {
            throw new TrialFailure("the journal is no JSON: " + e.getOriginalMessage());
        }
    }
}
