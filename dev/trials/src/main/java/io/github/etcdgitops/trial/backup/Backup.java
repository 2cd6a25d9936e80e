package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.JsonNode;

/// A line of what `backup list -o json` prints.
public record Backup(JsonNode line) {
    public String id() {
        return line.path("id").asText();
    }

    String ring() {
        return line.path("ring").asText();
    }

    String taken() {
        return line.path("taken").asText();
    }

    boolean verified() {
        return line.path("state").asText().equals("verified");
    }

    public long revision() {
        return line.path("revision").asLong();
    }

    public long keys() {
        return line.path("keys").asLong();
    }

    long size() {
        return line.path("sizeBytes").asLong();
    }

    long storedSize() {
        return line.path("storedBytes").asLong();
    }

    String sha256() {
        return line.path("sha256").asText();
    }

    String key() {
        return line.path("key").asText();
    }

    /// Of all its objects; ends with a slash.
    String prefix() {
        return key().substring(0, key().lastIndexOf('/') + 1);
    }
}
