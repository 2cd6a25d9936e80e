package io.github.etcdgitops.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;

/// A manifest as JSON (`kind: BackupManifest`). A reader accepts unknown fields within a major
/// `formatVersion`.
public final class ManifestFile {
    /// More than any manifest has.
    public static final int LIMIT = 1 << 20;

    private static final String KIND = "BackupManifest";
    private static final String FORMAT = "1.0";
    /// In bytes, some thousand times the size that etcd is made for.
    private static final long LARGEST_SNAPSHOT = 1L << 50;

    private static final Instant END = Instant.parse("9999-01-01T00:00:00Z");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ManifestFile() {}

    public static byte[] write(Manifest manifest) {
        var document = JSON.createObjectNode();
        document.put("kind", KIND).put("formatVersion", FORMAT).put("id", manifest.id());
        document.put("operationId", manifest.operationId()).put("tool", manifest.tool());
        source(manifest.source(), document.putObject("source"));
        content(manifest.content(), document.putObject("snapshot"));
        var stored = manifest.stored();
        var object = document.putObject("stored");
        object.put("key", stored.key()).put("size", stored.size()).put("sha256", stored.sha256());
        object.put("compression", stored.zstd() ? "zstd" : "none");
        stored.recipient().ifPresent(r -> object.put("ageRecipient", r));
        try {
            return (JSON.writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values can be written", e);
        }
    }

    private static void source(Manifest.Source source, ObjectNode object) {
        object.put("environment", source.environment());
        object.put("namespace", source.ring().namespace())
                .put("name", source.ring().name());
        object.put("clusterId", source.clusterId().toString()).put("member", source.member());
        object.put("etcdVersion", source.version().toString());
        object.put("began", source.began().toString())
                .put("ended", source.ended().toString());
    }

    private static void content(Manifest.Content content, ObjectNode object) {
        object.put("size", content.size()).put("sha256", content.sha256());
        object.put("revision", content.revision()).put("term", content.term());
        content.keys().ifPresent(keys -> object.put("keys", keys));
        content.ring()
                .ifPresent(ring -> object.putObject("ring")
                        .put("revision", ring.revision())
                        .put("asked", ring.asked().toString())
                        .put("behind", ring.behind()));
        var hashes = object.putArray("hashes");
        for (var hash : content.hashes()) {
            var entry = hashes.addObject();
            entry.put("revision", hash.revision()).put("compactRevision", hash.compactRevision());
            entry.put("hash", hash.hash());
            var members = entry.putArray("members");
            hash.members().forEach(members::add);
        }
    }

    /// Throws IllegalArgumentException with the error, in our own words.
    public static Manifest read(byte[] bytes) {
        try {
            var document = JSON.readTree(bytes);
            if (!text(document, "kind").equals(KIND)) {
                throw new IllegalArgumentException("the manifest is of another kind than " + KIND);
            }
            String format = text(document, "formatVersion");
            if (!format.startsWith("1.")) {
                throw new IllegalArgumentException("the manifest has format " + format + "; this version reads 1.x");
            }
            return new Manifest(
                    text(document, "id"),
                    source(document.path("source")),
                    content(document.path("snapshot")),
                    stored(document.path("stored")),
                    text(document, "operationId"),
                    text(document, "tool"));
        } catch (java.io.IOException _) {
            throw new IllegalArgumentException("the manifest is not JSON");
        } catch (DateTimeException | NumberFormatException _) {
            throw new IllegalArgumentException("the manifest has an invalid time or number");
        }
    }

    private static Manifest.Source source(JsonNode node) {
        return new Manifest.Source(
                text(node, "environment"),
                new ClusterRef(text(node, "namespace"), text(node, "name")),
                EtcdId.parse(text(node, "clusterId")),
                text(node, "member"),
                EtcdVersion.parse(text(node, "etcdVersion"))
                        .orElseThrow(() -> new IllegalArgumentException("the manifest has no etcd version")),
                time(node, "began"),
                time(node, "ended"));
    }

    private static Manifest.Content content(JsonNode node) {
        var hashes = new ArrayList<KvHash>();
        for (var entry : node.path("hashes")) {
            var members = new ArrayList<String>();
            entry.path("members").forEach(m -> members.add(m.asText()));
            hashes.add(new KvHash(
                    number(entry, "revision"), number(entry, "compactRevision"), number(entry, "hash"), members));
        }
        return new Manifest.Content(
                size(node),
                digest(node),
                number(node, "revision"),
                number(node, "term"),
                node.has("keys") ? OptionalLong.of(number(node, "keys")) : OptionalLong.empty(),
                hashes,
                node.has("ring") ? Optional.of(ring(node.path("ring"))) : Optional.empty());
    }

    private static Manifest.RingRevision ring(JsonNode node) {
        return new Manifest.RingRevision(number(node, "revision"), time(node, "asked"), number(node, "behind"));
    }

    private static Manifest.Stored stored(JsonNode node) {
        return new Manifest.Stored(
                text(node, "key"),
                size(node),
                digest(node),
                text(node, "compression").equals("zstd"),
                Optional.ofNullable(node.get("ageRecipient")).map(JsonNode::asText));
    }

    private static String digest(JsonNode node) {
        String digest = text(node, "sha256");
        if (!digest.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("the manifest has an invalid sha256");
        }
        return digest;
    }

    private static String text(JsonNode node, String field) {
        var value = node.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("the manifest lacks `" + field + "`");
        }
        return value.asText();
    }

    /// Later additions must not overflow.
    private static long size(JsonNode node) {
        long size = number(node, "size");
        if (size < 0 || size > LARGEST_SNAPSHOT) {
            throw new IllegalArgumentException("the manifest has the size " + size + ", which no snapshot has");
        }
        return size;
    }

    private static Instant time(JsonNode node, String field) {
        var time = Instant.parse(text(node, field));
        if (time.isBefore(Instant.EPOCH) || !time.isBefore(END)) {
            throw new IllegalArgumentException(
                    "the manifest has a time in `" + field + "` that cannot be the time of a backup");
        }
        return time;
    }

    private static long number(JsonNode node, String field) {
        var value = node.path(field);
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException("the manifest lacks the number `" + field + "`");
        }
        return value.asLong();
    }
}
