package io.github.etcdgitops.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.BackupKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/// The result of a drill, stored beside the manifest of the tested backup: `kind: DrillResult`. `took` is
/// from the first byte read until etcd answered with the data. `detail` is for people.
public record DrillResult(
        BackupKey backup, Instant at, boolean passed, Duration took, EtcdVersion version, String detail, String tool) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public void store(BackupStore store) {
        store.create(
                backup.file(BackupKey.DRILL + BackupKey.stamp(at) + (passed ? "-passed.json" : "-failed.json")),
                bytes());
    }

    private byte[] bytes() {
        var document = JSON.createObjectNode();
        document.put("kind", "DrillResult").put("formatVersion", "1.0").put("backup", backup.id());
        document.put("at", at.toString()).put("passed", passed).put("seconds", took.toMillis() / 1000.0);
        document.put("etcdVersion", version.toString()).put("detail", detail).put("tool", tool);
        try {
            return (JSON.writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values can be written", e);
        }
    }
}
