package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A foreign member's flags in the terms of a spec. `options` are etcd's own settings by their names in the
/// schema. `changed` are settings that its first restart under our template changes without making it
/// another ring. `unknown` are flags that a spec cannot express. `refused` are the reasons that prevent the
/// adoption.
public record ForeignSettings(
        SortedMap<String, Object> options, List<String> changed, List<String> unknown, List<String> refused) {
    private static final String CLIENT = "2379";
    private static final String PEER = "2380";

    /// Host and port.
    private static final Pattern PLAIN_URL = Pattern.compile("http://([^/]+):(\\d{1,5})/?");

    private static final Map<String, String> NUMBERS = Map.of(
            "quota-backend-bytes", "quotaBackendBytes",
            "heartbeat-interval", "heartbeatIntervalMillis",
            "election-timeout", "electionTimeoutMillis",
            "snapshot-count", "snapshotCount",
            "max-request-bytes", "maxRequestBytes");

    /// Read only by a member that has no data yet.
    private static final Set<String> AT_FIRST_START = Set.of(
            "initial-cluster",
            "initial-cluster-state",
            "initial-cluster-token",
            "initial-advertise-peer-urls",
            "discovery-srv");

    /// Read elsewhere, or written by us as well.
    private static final Set<String> ELSEWHERE =
            Set.of("name", "data-dir", "auto-compaction-mode", "auto-compaction-retention");

    private static final Map<String, Set<String>> SAME = Map.of(
            "logger", Set.of("zap", "capnslog"),
            "log-outputs", Set.of("default", "stderr", "stdout"),
            "strict-reconfig-check", Set.of("true"),
            "enable-v2", Set.of("false"),
            "pre-vote", Set.of("true"),
            "experimental-initial-corrupt-check", Set.of("true"),
            "enable-grpc-gateway", Set.of("true"),
            "log-package-levels", Set.of(""));

    private static final Set<String> TLS = Set.of(
            "cert-file",
            "key-file",
            "client-cert-auth",
            "trusted-ca-file",
            "auto-tls",
            "peer-cert-file",
            "peer-key-file",
            "peer-client-cert-auth",
            "peer-trusted-ca-file",
            "peer-auto-tls",
            "client-crl-file",
            "peer-crl-file",
            "cipher-suites");

    public ForeignSettings {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        changed = changed.stream().sorted().toList();
        unknown = unknown.stream().sorted().toList();
        refused = refused.stream().sorted().toList();
    }

    public static ForeignSettings of(ForeignFlags flags, ClusterRef ref, int ordinal) {
        var reading = new Reading(ref.podName(ordinal));
        flags.values().forEach(reading::take);
        reading.compaction(flags.values());
        reading.name(flags.values().get("name"));
        flags.obscure().forEach(what -> reading.unknown.add(what));
        return new ForeignSettings(reading.options, reading.changed, reading.unknown, reading.refused);
    }

    /// Reads one member's flags, one by one.
    private static final class Reading {
        private final String pod;
        private final SortedMap<String, Object> options = new TreeMap<>();
        private final List<String> changed = new ArrayList<>();
        private final List<String> unknown = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();

        Reading(String pod) {
            this.pod = pod;
        }

        private void take(String flag, String value) {
            if (AT_FIRST_START.contains(flag)
                    || ELSEWHERE.contains(flag)
                    || SAME.getOrDefault(flag, Set.of()).contains(value)) {
                return;
            }
            if (NUMBERS.containsKey(flag)) {
                number(flag, value);
            } else if (TLS.contains(flag)) {
                refused.add("--" + flag + ": a ring that already uses TLS cannot be adopted");
            } else if (flag.equals("log-level")) {
                options.put("logLevel", value);
            } else {
                other(flag, value);
            }
        }

        private void other(String flag, String value) {
            switch (flag) {
                case "listen-peer-urls" -> listens(flag, value, PEER);
                case "listen-client-urls" -> listens(flag, value, CLIENT);
                case "advertise-client-urls" -> changed.add("the addresses that clients read from the member list");
                case "listen-metrics-urls" -> changed.add("the address of the metrics, which will be port 2378");
                case "metrics" -> changed.add("the level of detail of the metrics");
                case "debug" -> {
                    if (value.equals("true")) {
                        options.put("logLevel", "debug");
                    }
                }
                case "config-file" -> refused.add("--config-file: etcd-gitops cannot read settings from this file");
                case "wal-dir" -> refused.add("--wal-dir: the write-ahead log is on another volume or path");
                case "force-new-cluster" -> refused.add("--force-new-cluster: the member would create a new ring");
                case "proxy" -> refused.add("--proxy: this process is a proxy, not a member");
                default -> unknown.add("--" + flag);
            }
        }

        private void number(String flag, String value) {
            try {
                long number = Long.parseLong(value);
                if (number != 0) {
                    options.put(NUMBERS.get(flag), number);
                }
            } catch (NumberFormatException _) {
                unknown.add("--" + flag);
            }
        }

        /// Our members also listen on loopback at every port.
        private void listens(String flag, String value, String port) {
            boolean there = false;
            for (String url : value.split(",")) {
                var parts = PLAIN_URL.matcher(url.trim());
                if (!parts.matches()) {
                    refused.add("--" + flag + ": not plain http");
                } else if (!parts.group(2).equals(port)) {
                    refused.add("--" + flag + ": port " + parts.group(2) + ", and etcd-gitops uses " + port);
                } else {
                    there |= !parts.group(1).equals("127.0.0.1")
                            && !parts.group(1).equals("localhost");
                }
            }
            if (!there) {
                refused.add("--" + flag + ": it cannot be reached from outside the pod");
            }
        }

        private void compaction(Map<String, String> flags) {
            String retention = flags.getOrDefault("auto-compaction-retention", "0");
            if (!Arrays.asList("0", "0s", "").contains(retention)) {
                options.put(
                        "autoCompaction",
                        new TreeMap<>(Map.of(
                                "mode",
                                flags.getOrDefault("auto-compaction-mode", "periodic"),
                                "retention",
                                retention)));
            }
        }

        private void name(@org.jspecify.annotations.Nullable String name) {
            if (!pod.equals(name)) {
                refused.add("--name: the member of " + pod + " does not have the name of its pod");
            }
        }
    }
}
