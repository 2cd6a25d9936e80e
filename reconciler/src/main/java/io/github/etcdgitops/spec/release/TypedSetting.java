package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The settings below `spec.etcd` that are one setting of etcd each. `experimental` says that lines before 3.6 have
/// it with that prefix.
public enum TypedSetting {
    QUOTA_BACKEND_BYTES("quotaBackendBytes", "quota-backend-bytes", false),
    HEARTBEAT_INTERVAL_MILLIS("heartbeatIntervalMillis", "heartbeat-interval", false),
    ELECTION_TIMEOUT_MILLIS("electionTimeoutMillis", "election-timeout", false),
    SNAPSHOT_COUNT("snapshotCount", "snapshot-count", false),
    MAX_REQUEST_BYTES("maxRequestBytes", "max-request-bytes", false),
    MAX_TXN_OPS("maxTxnOps", "max-txn-ops", false),
    COMPACTION_BATCH_LIMIT("compactionBatchLimit", "compaction-batch-limit", true),
    MAX_LEARNERS("maxLearners", "max-learners", false),
    TLS_MIN_VERSION("tlsMinVersion", "tls-min-version", false),
    CIPHER_SUITES("cipherSuites", "cipher-suites", false);

    /// Settings that etcd-gitops writes by itself, or whose change could lose data or the ring. `extra` cannot have
    /// them, nor what has a field of its own.
    private static final List<String> RESERVED = List.of(
            "name",
            "data-dir",
            "wal-dir",
            "force-new-cluster",
            "unsafe-no-fsync",
            "strict-reconfig-check",
            "enable-grpc-gateway",
            "pre-vote",
            "logger",
            "log-level",
            "debug",
            "feature-gates",
            "enable-v2",
            "v2-deprecation",
            "auto-compaction-mode",
            "auto-compaction-retention",
            "client-transport-security",
            "peer-transport-security",
            "auth-token");

    private static final List<String> RESERVED_BEGINNINGS = List.of(
            "initial-",
            "listen-",
            "advertise-",
            "discovery",
            "experimental-initial-corrupt",
            "experimental-enable-v2",
            "distributed-tracing",
            "enable-distributed-tracing",
            "experimental-distributed-tracing",
            "experimental-enable-distributed-tracing");

    private static final String EXPERIMENTAL = "experimental-";

    private final String field;
    private final String key;
    private final boolean experimental;

    TypedSetting(String field, String key, boolean experimental) {
        this.field = field;
        this.key = key;
        this.experimental = experimental;
    }

    public static Optional<TypedSetting> of(String field) {
        return Arrays.stream(values()).filter(s -> s.field.equals(field)).findFirst();
    }

    /// Its name in the file of a member of this version.
    public String key(EtcdVersion version) {
        return experimental ? grown(key, version) : key;
    }

    /// Settings that lost their prefix with 3.6.
    public static String grown(String key, EtcdVersion version) {
        return version.atLeast(3, 6, 0) ? key : EXPERIMENTAL + key;
    }

    /// Whether `extra` may not have this setting of etcd.
    public static boolean reserves(String key) {
        String plain = key.startsWith(EXPERIMENTAL) ? key.substring(EXPERIMENTAL.length()) : key;
        return RESERVED.contains(key)
                || RESERVED_BEGINNINGS.stream().anyMatch(key::startsWith)
                || Arrays.stream(values()).anyMatch(s -> s.key.equals(plain));
    }
}
