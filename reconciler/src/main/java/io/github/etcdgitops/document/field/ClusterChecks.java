package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What a schema cannot check in an EtcdCluster: how its fields go together, and what etcd and Kubernetes
/// refuse. It checks whatever could be read; the schema reports a field of the wrong type, and this skips
/// it.
public final class ClusterChecks {
    public static final String DEFAULT_STORAGE = "8Gi";
    public static final int QUOTA_PERCENT = 60;

    /// etcd reserves this much for a single segment of its write-ahead log.
    private static final Quantity SMALLEST_STORAGE = new Quantity(BigDecimal.valueOf(64L << 20));

    private static final String SIZES = "Sizes end in Ki, Mi, Gi or Ti: \"8Gi\".";

    private static final long DEFAULT_HEARTBEAT = 100;
    private static final long DEFAULT_ELECTION = 1000;
    private static final int ELECTION_PER_HEARTBEAT = 5;
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}|([0-9]{1,9}([.][0-9]{1,3})?(ms|h|m|s)){1,4}");
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,14}");
    private static final Set<String> OUR_LABELS =
            Set.of("app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by");
    private static final String OUR_PREFIX = "etcdgitops.dev/";

    private final YamlDocument document;
    private final Findings findings;

    private ClusterChecks(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    public static void check(YamlDocument document, Findings findings) {
        var checks = new ClusterChecks(document, findings);
        checks.name();
        checks.logLevel();
        checks.storage();
        checks.issuer();
        checks.timing();
        checks.autoCompaction();
        checks.reserved("labels");
        checks.reserved("annotations");
        ResourceChecks.check(document, findings);
        SchedulingChecks.check(document, findings);
        checks.windows();
        FeatureFields.check(document, findings);
        checks.adoption();
        Rfc3339.check(document, findings, "spec", "suspend", "until");
    }

    private void name() {
        document.text("metadata", "name")
                .filter(name -> name.endsWith("-peer"))
                .ifPresent(name -> findings.at(
                        List.of("metadata", "name"),
                        "reserved-name",
                        "`metadata.name` is " + Shown.quoted(name)
                                + "; a name that ends in -peer would be the name of another ring's Service.",
                        "Choose a name that does not end in -peer."));
    }

    private void logLevel() {
        var version = document.text("spec", "version")
                .filter(text -> !text.startsWith("v"))
                .flatMap(EtcdVersion::parse);
        if (version.isEmpty()) {
            return;
        }
        var v = version.get();
        var level = document.text("spec", "etcd", "logLevel").filter(l -> !l.equals("debug") && !l.equals("info"));
        if (v.minor() < 4 && level.isPresent()) {
            findings.at(
                    List.of("spec", "etcd", "logLevel"),
                    "option-not-in-version",
                    "`spec.etcd.logLevel` is " + Shown.quoted(level.get()) + "; etcd " + v
                            + " supports only debug and info; 3.4 added the other levels.",
                    "Leave the field out until the ring runs 3.4.");
        }
    }

    private void storage() {
        var at = List.of("spec", "storage", "size");
        var text = document.text("spec", "storage", "size").orElse(DEFAULT_STORAGE);
        var size = Quantity.parse(text);
        if (size.isEmpty()) {
            return;
        }
        var bytes = size.get().wholeBytes();
        if (bytes.isEmpty() || size.get().compareTo(SMALLEST_STORAGE) < 0) {
            String field = "`spec.storage.size` is " + Shown.quoted(text) + "; expected ";
            if (size.get().isMoreThanFits()) {
                findings.at(at, "storage-too-large", field + "less than 8Ei, the limit of Kubernetes.", SIZES);
            } else if (size.get().compareTo(SMALLEST_STORAGE) < 0) {
                findings.at(
                        at,
                        "storage-too-small",
                        field + "64Mi or more: one segment of etcd's write-ahead log takes 64 MiB.",
                        text.matches("[0-9.]+")
                                ? "Without a unit this is a number of bytes; write for example \"" + text + "Gi\"."
                                : SIZES);
            } else {
                findings.at(at, "storage-not-whole", field + "a whole number of bytes.", SIZES);
            }
            return;
        }
        long most = size.get().percent(QUOTA_PERCENT).wholeBytes().orElse(Long.MAX_VALUE);
        document.number("spec", "etcd", "quotaBackendBytes")
                .filter(quota -> quota > most)
                .ifPresent(quota -> findings.at(
                        List.of("spec", "etcd", "quotaBackendBytes"),
                        "quota-exceeds-storage",
                        "`spec.etcd.quotaBackendBytes` is " + quota + "; at most " + most + " (60 % of a volume of "
                                + text
                                + ") is safe, because the write-ahead log, snapshots and a defragmentation's copy"
                                + " share it.",
                        "Lower the quota to " + most + ", or request a larger volume."));
    }

    /// cert-manager would refuse it only later.
    private void issuer() {
        String kind = document.text("spec", "tls", "issuer", "kind").orElse("");
        if (!kind.endsWith("Issuer")) {
            return;
        }
        if (document.text("spec", "tls", "issuer", "name").isEmpty()) {
            findings.at(
                    List.of("spec", "tls", "issuer"),
                    "issuer-without-name",
                    "`spec.tls.issuer` is of kind " + kind + " and has no name.",
                    "Name the " + kind + " of cert-manager that signs: `name: …`.");
        }
        Durations.of(document, "spec", "tls", "issuer", "duration")
                .filter(duration -> duration.compareTo(Duration.ofHours(1)) < 0)
                .ifPresent(duration -> findings.at(
                        List.of("spec", "tls", "issuer", "duration"),
                        "duration-too-short",
                        "`spec.tls.issuer.duration` is " + duration.toMinutes() + "m; cert-manager accepts one hour or"
                                + " more.",
                        "Set 1h or more."));
    }

    private void timing() {
        var heartbeat = document.number("spec", "etcd", "heartbeatIntervalMillis");
        var election = document.number("spec", "etcd", "electionTimeoutMillis");
        long needed = heartbeat.orElse(DEFAULT_HEARTBEAT) * ELECTION_PER_HEARTBEAT;
        if ((heartbeat.isEmpty() && election.isEmpty()) || election.orElse(DEFAULT_ELECTION) >= needed) {
            return;
        }
        String field = election.isPresent() ? "electionTimeoutMillis" : "heartbeatIntervalMillis";
        findings.at(
                List.of("spec", "etcd", field),
                "election-timeout-too-short",
                "The election timeout is " + election.orElse(DEFAULT_ELECTION) + " ms and the heartbeat "
                        + heartbeat.orElse(DEFAULT_HEARTBEAT) + " ms; etcd does not start with a timeout below five"
                        + " heartbeats.",
                "Set `electionTimeoutMillis` to " + needed + " or more; ten heartbeats are usual.");
    }

    private void autoCompaction() {
        var mode = document.text("spec", "etcd", "autoCompaction", "mode").orElse("");
        var retention = document.text("spec", "etcd", "autoCompaction", "retention");
        var form = mode.equals("revision") ? COUNT : DURATION;
        boolean known = mode.equals("revision") || mode.equals("periodic");
        retention
                .filter(text -> known && !form.matcher(text).matches())
                .ifPresent(text -> findings.at(
                        List.of("spec", "etcd", "autoCompaction", "retention"),
                        "bad-retention",
                        "`spec.etcd.autoCompaction.retention` is " + Shown.quoted(text) + "; expected "
                                + (mode.equals("revision") ? "a number of revisions" : "a time") + " for the mode "
                                + mode
                                + ".",
                        mode.equals("revision") ? "For example \"10000\"." : "For example \"8h\" or \"30m\"."));
    }

    private void reserved(String map) {
        for (String key : document.keys("spec", "podTemplate", "metadata", map)) {
            if (key.startsWith(OUR_PREFIX) || OUR_LABELS.contains(key)) {
                findings.atKey(
                        List.of("spec", "podTemplate", "metadata", map, key),
                        "reserved-label",
                        "The key " + Shown.quoted(key) + " in `spec.podTemplate.metadata." + map
                                + "` is set by etcd-gitops itself, which finds the ring's pods by them.",
                        "Use another prefix.");
            }
        }
    }

    private void windows() {
        int count = document.items("spec", "maintenance", "windows").size();
        for (int i = 0; i < count; i++) {
            ClockFields.crontab(document, findings, "spec", "maintenance", "windows", Integer.toString(i), "schedule");
            ClockFields.timeZone(document, findings, "spec", "maintenance", "windows", Integer.toString(i), "timeZone");
        }
    }

    private void adoption() {
        var name = document.text("metadata", "name").orElse("");
        document.text("spec", "adopt", "statefulSet")
                .filter(set -> !set.equals(name))
                .ifPresent(set -> findings.at(
                        List.of("spec", "adopt", "statefulSet"),
                        "adopts-another-name",
                        "`spec.adopt.statefulSet` is " + Shown.quoted(set) + " and the ring is called "
                                + Shown.quoted(name)
                                + "; a StatefulSet, its pods and its claims cannot be renamed.",
                        "Give the ring the name of its StatefulSet."));
    }
}
