package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Map;

/// The settings that a spec allows, by their names in the schema, as keys of etcd's own file.
final class EtcdOptions {
    private static final Map<String, String> NUMBERS = Map.of(
            "quotaBackendBytes", "quota-backend-bytes",
            "heartbeatIntervalMillis", "heartbeat-interval",
            "electionTimeoutMillis", "election-timeout",
            "snapshotCount", "snapshot-count",
            "maxRequestBytes", "max-request-bytes");

    private EtcdOptions() {}

    /// Throws on an option without a translation: leaving it out would silently run the ring with another
    /// setting.
    static void put(Map<String, Object> file, MemberSettings applied) {
        applied.options().forEach((name, value) -> {
            String number = NUMBERS.get(name);
            if (number != null && value instanceof Number amount) {
                file.put(number, amount.longValue());
            } else if (name.equals("logLevel") && value instanceof String level) {
                putLogLevel(file, applied, level);
            } else if (name.equals("autoCompaction") && value instanceof Map<?, ?> compaction) {
                file.put("auto-compaction-mode", text(compaction, "mode"));
                file.put("auto-compaction-retention", text(compaction, "retention"));
            } else {
                throw new IllegalArgumentException("etcd option " + name + " cannot be written");
            }
        });
    }

    /// 3.3 only knows debug or not.
    private static void putLogLevel(Map<String, Object> file, MemberSettings applied, String level) {
        if (applied.version().atLeast(3, 4, 0)) {
            file.put("log-level", level);
        } else if (level.equals("debug")) {
            file.put("debug", true);
        }
    }

    private static String text(Map<?, ?> compaction, String key) {
        Object value = compaction.get(key);
        if (value == null) {
            throw new IllegalArgumentException("etcd option autoCompaction lacks " + key);
        }
        return value.toString();
    }
}
