package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupPolicy.Timing;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Backups and restores across the documents of a repository.
class ProtectionTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final String KEPT =
            "policy: nightly, environment: default, cluster: {namespace: demo, name: orders}";

    private static DesiredState load(String... filesAndTexts) {
        var files = new TreeMap<String, String>();
        for (int i = 0; i < filesAndTexts.length; i += 2) {
            files.put(filesAndTexts[i], filesAndTexts[i + 1]);
        }
        return SpecLoader.load(Trees.of(files));
    }

    private static List<String> codes(DesiredState state) {
        return state.violations().stream().map(Violation::code).toList();
    }

    private static String named(String name, String policy) {
        return Trees.ring(name, "  backup: {policy: " + policy + "}\n");
    }

    private static BackupPolicy policy(String spec) {
        var state = load("policies/a.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
            """ + spec, "clusters/a.yaml", Trees.ring("orders", ""));
        assertThat(state.violations()).isEmpty();
        return state.protection().policies().getFirst();
    }

    @Test
    void readsEveryFieldOfAPolicy() {
        var policy = policy("""
              clusters: {environments: [default], namespaces: [demo, shop], matchLabels: {tier: gold}}
              schedule: {cron: "0 3 * * *", timeZone: Europe/Vienna}
              destination:
                s3:
                  bucket: etcd-backups
                  prefix: fleet
                  endpoint: https://objects.example.org/
                  region: eu-central-1
                  pathStyle: true
                  credentialsRef: {name: backups}
                  serverSideEncryption: {algorithm: aws:kms, kmsKeyId: alias/backups}
              compression: zstd
              encryption: {recipient: age1ffdyeg2rla7pqvl8qya0hs7cc5nc3alc32z3tmxsf6gqvw5r7snslvw9cq}
              bytesPerSecond: 50Mi
              retention: {last: 7, within: 90m, daily: 14, weekly: 8, monthly: 12, timeZone: America/New_York}
              maxAge: 26h
              beforeChange: 1h
              drill: {every: 30d, namespace: drills, maxAge: 35d}
            """);

        assertThat(policy.rings())
                .isEqualTo(new RingSelector(
                        List.of("default"), List.of("demo", "shop"), new TreeMap<>(Map.of("tier", "gold"))));
        assertThat(policy.timing()).contains(new Timing.Cron("0 3 * * *", ZoneId.of("Europe/Vienna")));
        assertThat(policy.destination())
                .isEqualTo(new Destination.S3(
                        "etcd-backups",
                        "fleet/",
                        Optional.of("https://objects.example.org"),
                        Optional.of("eu-central-1"),
                        true,
                        Optional.of("backups"),
                        Optional.of(new Destination.ServerSideEncryption("aws:kms", Optional.of("alias/backups")))));
        assertThat(policy.encoding())
                .isEqualTo(new BackupPolicy.Encoding(
                        true,
                        Optional.of("age1ffdyeg2rla7pqvl8qya0hs7cc5nc3alc32z3tmxsf6gqvw5r7snslvw9cq"),
                        Optional.of(50L << 20)));
        assertThat(policy.retention())
                .isEqualTo(new BackupPolicy.Retention(
                        OptionalInt.of(7),
                        Optional.of(Duration.ofMinutes(90)),
                        OptionalInt.of(14),
                        OptionalInt.of(8),
                        OptionalInt.of(12),
                        ZoneId.of("America/New_York")));
        assertThat(policy.objectives())
                .isEqualTo(new BackupPolicy.Objectives(
                        Optional.of(Duration.ofHours(26)), Optional.of(Duration.ofHours(1))));
        assertThat(policy.drill())
                .contains(new BackupPolicy.Drill(Duration.ofDays(30), "drills", Optional.of(Duration.ofDays(35))));
        assertThat(policy.source().toString()).isEqualTo("policies/a.yaml:1:1");
    }

    @Test
    void fillsInDefaults() {
        var policy = policy("  destination: {gcs: {bucket: etcd_backups}}\n");

        assertThat(policy.rings().isEmpty()).isTrue();
        assertThat(policy.timing()).isEmpty();
        assertThat(policy.destination())
                .isEqualTo(new Destination.Gcs("etcd_backups", "", Optional.empty(), Optional.empty()));
        assertThat(policy.encoding()).isEqualTo(new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()));
        assertThat(policy.retention().keepsAll()).isTrue();
        assertThat(policy.retention().zone()).isEqualTo(ZoneId.of("UTC"));
        assertThat(policy.objectives()).isEqualTo(new BackupPolicy.Objectives(Optional.empty(), Optional.empty()));
        assertThat(policy.drill()).isEmpty();
    }

    @Test
    void countsDaysOnTheClockOfTheSchedule() {
        var policy = policy("""
              schedule: {cron: "@daily", timeZone: Asia/Tokyo}
              destination: {directory: {path: /backups/, prefix: etcd/}}
              retention: {daily: 7}
            """);

        assertThat(policy.retention().zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(policy.destination()).isEqualTo(new Destination.Directory("/backups", "etcd/"));
        assertThat(policy("  every: 6h\n  destination: {directory: {path: /a}}\n")
                        .timing())
                .contains(new Timing.Every(Duration.ofHours(6)));
        assertThat(policy("  every: 2d\n  destination: {directory: {path: /a}}\n")
                        .timing())
                .contains(new Timing.Every(Duration.ofDays(2)));
    }

    @Test
    void readsBackupsAndBothKindsOfRestores() {
        var state = load(
                "policies/nightly.yaml",
                Trees.policy("nightly", ""),
                "clusters/a.yaml",
                Trees.ring("orders", "") + "---\n" + Trees.ring("carts", "") + "---\n" + Trees.ring("mails", ""),
                "clusters/b.yaml",
                Trees.restore("orders", KEPT + ", backup: 20261122T030000Z") + "  bumpRevision: 1000\n---\n"
                        + Trees.restore(
                                "carts",
                                "url: \"s3://old-backups/etcd/carts 1.db\", endpoint: \"http://10.0.0.1:9000\","
                                        + " pathStyle: true")
                        + "---\n" + Trees.restore("mails", "url: \"file:///mnt/old/mails.db\"") + "---\n" + """
                        apiVersion: etcdgitops.dev/v1alpha1
                        kind: EtcdBackup
                        metadata: {name: before-the-move}
                        spec: {cluster: {namespace: demo, name: orders}, policy: nightly}
                        """);

        assertThat(state.violations()).isEmpty();
        var protection = state.protection();
        assertThat(protection.requests()).singleElement().satisfies(request -> {
            assertThat(request.name()).isEqualTo("before-the-move");
            assertThat(request.cluster()).isEqualTo(ORDERS);
            assertThat(request.policy()).isEqualTo("nightly");
        });
        assertThat(protection.restores().get(ORDERS).from())
                .isEqualTo(new From.Kept("nightly", "default", ORDERS, Optional.of("20261122T030000Z")));
        assertThat(protection.restores().get(ORDERS).bumpRevision()).contains(1000L);
        assertThat(protection.restores().get(new ClusterRef("demo", "carts")).from())
                .isEqualTo(new From.Bare(new Destination.S3(
                        "old-backups",
                        "etcd/carts 1.db",
                        Optional.of("http://10.0.0.1:9000"),
                        Optional.empty(),
                        true,
                        Optional.empty(),
                        Optional.empty())));
        assertThat(protection.restores().get(new ClusterRef("demo", "mails")).from())
                .isEqualTo(new From.Bare(new Destination.Directory("/mnt/old", "mails.db")));
        assertThat(protection.unclear()).isEmpty();
        assertThat(state.rings()).hasSize(3);
    }

    @Test
    void keepsRingThatNamesUnknownPolicy() {
        var state = load(
                "policies/nightly.yaml", Trees.policy("nightly", ""), "clusters/a.yaml", named("orders", "nihgtly"));

        assertThat(codes(state)).containsExactly("unknown-policy");
        assertThat(state.violations().getFirst().hint()).contains("Did you mean `nightly`?");
        assertThat(state.violations().getFirst().at().pointer()).isEqualTo("/spec/backup/policy");
        assertThat(state.rings()).containsKey(ORDERS);
        assertThat(PolicySelection.missing(
                        state.rings().get(ORDERS), state.protection().policies()))
                .contains("nihgtly");
    }

    @Test
    void reportsInvalidPolicyOnceForAllItsRings() {
        var rings = new StringBuilder(named("orders", "nightly"));
        for (int i = 0; i < 8; i++) {
            rings.append("---\n").append(named("ring-" + i, "nightly"));
        }
        var state = load(
                "policies/nightly.yaml", Trees.policy("nightly", "  every: 0h\n"), "clusters/a.yaml", rings.toString());

        assertThat(codes(state)).containsExactly("rings-without-backup", "bad-format");
        assertThat(state.violations().getFirst().message()).contains("9 rings name it: demo/orders", "and 4 more");
        assertThat(state.rings()).hasSize(9);
        assertThat(state.protection().policies()).isEmpty();
    }

    @Test
    void neverReportsUnreadablePolicyAsMissing() {
        var good = Trees.of(Map.of("clusters/a.yaml", named("orders", "nightly")));
        var link = Violation.of("symbolic-link", Location.ofFile("policies/nightly.yaml"), "a link");

        var linked = SpecLoader.load(new SourceTree("0", good.documents(), List.of(link), "d"));
        var broken = load(
                "clusters/a.yaml", named("orders", "nightly"), "policies/a.yaml", "spec: {\nmetadata: {name: nightly}");

        assertThat(codes(linked)).containsExactly("symbolic-link");
        assertThat(codes(broken)).containsExactly("syntax-error");
        assertThat(broken.rings()).containsKey(ORDERS);
    }

    @Test
    void twoPoliciesOfOneNameAreNeitherCarriedOut() {
        var state = load(
                "policies/a.yaml",
                Trees.policy("nightly", ""),
                "policies/b.yaml",
                Trees.policy("nightly", ""),
                "clusters/a.yaml",
                named("orders", "nightly"));

        assertThat(codes(state)).containsExactly("duplicate-policy", "rings-without-backup", "duplicate-policy");
        assertThat(state.protection().policies()).isEmpty();
        assertThat(state.rings()).containsKey(ORDERS);
    }

    private static String selecting(String name, String destination) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: %s}
            spec:
              clusters: {namespaces: [demo]}
              destination: {%s}
            """.formatted(name, destination);
    }

    @Test
    void twoPoliciesMayNotKeepARingsBackupsInOnePlace() {
        var state = load(
                "policies/a.yaml",
                selecting("hourly", "directory: {path: /backups/, prefix: a}"),
                "policies/b.yaml",
                selecting("nightly", "directory: {path: /backups, prefix: a/}"),
                "policies/c.yaml",
                selecting("offsite", "gcs: {bucket: offsite}"),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(codes(state)).containsExactly("shared-destination", "shared-destination");
        assertThat(state.violations().getFirst().message()).contains("\"hourly\"", "\"nightly\"", "demo/orders");
        assertThat(state.violations().getFirst().at().pointer()).isEqualTo("/spec/destination");
        assertThat(state.protection().policies()).extracting(BackupPolicy::name).containsExactly("offsite");
        assertThat(state.rings()).containsKey(ORDERS);
    }

    @Test
    void otherCredentialsDoNotMakeAnotherPlace() {
        var state = load(
                "policies/a.yaml",
                selecting("hourly", "s3: {bucket: backups, region: eu-central-1, credentialsRef: {name: one}}"),
                "policies/b.yaml",
                selecting("nightly", "s3: {bucket: backups, region: eu-central-1, pathStyle: true}"),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(codes(state)).containsExactly("shared-destination", "shared-destination");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3: {bucket: backups, endpoint: 'https://store.example.org'} | s3: {bucket: backups, endpoint:"
                        + " 'https://store.example.org/'}",
                "s3: {bucket: backups, endpoint: 'https://store.example.org'} | s3: {bucket: backups, endpoint:"
                        + " 'https://Store.Example.org:443'}",
                "s3: {bucket: backups, endpoint: 'http://10.0.0.1:80/'} | s3: {bucket: backups, endpoint:"
                        + " 'http://10.0.0.1'}",
                "s3: {bucket: backups, region: eu-central-1} | s3: {bucket: backups, endpoint:"
                        + " 'https://s3.eu-central-1.amazonaws.com'}",
                "gcs: {bucket: backups} | gcs: {bucket: backups, endpoint: 'https://storage.googleapis.com/'}",
                "gcs: {bucket: backups} | s3: {bucket: backups, endpoint: 'https://storage.googleapis.com'}"
            })
    void anotherSpellingDoesNotMakeAnotherPlace(String one, String other) {
        var state = load(
                "policies/a.yaml",
                selecting("hourly", one.replace('\'', '"')),
                "policies/b.yaml",
                selecting("nightly", other.replace('\'', '"')),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(codes(state)).containsExactly("shared-destination", "shared-destination");
    }

    @Test
    void twoStoresOnOneHostAreTwoPlaces() {
        var state = load(
                "policies/a.yaml",
                selecting("hourly", "s3: {bucket: backups, endpoint: \"http://10.0.0.1:9000\"}"),
                "policies/b.yaml",
                selecting("nightly", "s3: {bucket: backups, endpoint: \"http://10.0.0.1:9001\"}"),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(state.violations()).isEmpty();
    }

    @Test
    void policiesOfDifferentRingsMayShareDestination() {
        var state = load(
                "policies/a.yaml",
                selecting("nightly", "gcs: {bucket: backups}"),
                "policies/b.yaml",
                selecting("other", "gcs: {bucket: backups}").replace("[demo]", "[shop]"),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(state.violations()).isEmpty();
        assertThat(state.protection().policies()).hasSize(2);
    }

    @Test
    void drillsKeepAwayFromRings() {
        var state = load(
                "policies/a.yaml",
                Trees.policy("nightly", "  drill: {every: 30d, namespace: demo}\n"),
                "clusters/a.yaml",
                Trees.ring("orders", "  storage: {size: much}\n"));

        assertThat(codes(state)).containsExactly("bad-format", "drill-among-rings");
        assertThat(state.protection().policies())
                .singleElement()
                .satisfies(policy -> assertThat(policy.drill()).isEmpty());
    }

    @Test
    void restoreByInvalidPolicyRejectsItsRing() {
        var state = load(
                "policies/nightly.yaml",
                Trees.policy("nightly", "  every: 0h\n"),
                "clusters/a.yaml",
                Trees.ring("orders", "") + "---\n" + Trees.ring("carts", ""),
                "clusters/b.yaml",
                Trees.restore("orders", KEPT));

        assertThat(codes(state)).containsExactly("policy-is-wrong", "bad-format");
        assertThat(state.rejected()).containsExactly(ORDERS);
        assertThat(state.rings()).containsOnlyKeys(new ClusterRef("demo", "carts"));
        assertThat(state.protection().restores()).isEmpty();
    }

    @Test
    void restoreInWrongFolderRejectsItsRing() {
        var state = load(
                "clusters/a.yaml",
                Trees.ring("orders", ""),
                "policies/b.yaml",
                Trees.restore("orders", "url: \"file:///a.db\""));

        assertThat(codes(state)).containsExactly("wrong-folder");
        assertThat(state.rejected()).containsExactly(ORDERS);
    }

    @Test
    void restoreOfRejectedRingAddsNoViolation() {
        var state = load(
                "clusters/a.yaml",
                Trees.ring("orders", "  storage: {size: much}\n"),
                "clusters/b.yaml",
                Trees.restore("orders", "url: \"file:///a.db\""));

        assertThat(codes(state)).containsExactly("bad-format");
        assertThat(state.rejected()).containsExactly(ORDERS);
        assertThat(state.protection().restores()).isEmpty();
    }

    @Test
    void unreadableFileMayHoldRestore() {
        var link = Violation.of("symbolic-link", Location.ofFile("clusters/restores.yaml"), "a link");
        var rest = Violation.of("too-many-files", Location.ofFile("."), "the rest was not read");
        var elsewhere = Violation.of("symbolic-link", Location.ofFile("docs/x.yaml"), "a link");
        var good = Trees.of(Map.of("clusters/a.yaml", Trees.ring("orders", "")));

        var state = SpecLoader.load(new SourceTree("0", good.documents(), List.of(link, rest, elsewhere), "d"));

        assertThat(state.protection().unclear()).containsExactly(rest.at(), link.at());
        assertThat(state.rings()).containsKey(ORDERS);
    }

    @Test
    void brokenRingDoesNotHoldOthers() {
        var state = load(
                "clusters/a.yaml",
                Trees.ring("orders", ""),
                "clusters/b.yaml",
                Trees.ring("carts", "  storage: {size: 8Gi\n"));

        assertThat(codes(state)).containsExactly("syntax-error");
        assertThat(state.protection().unclear()).isEmpty();
    }

    @Test
    void acceptsLooseFilesWithoutTheDocumentsTheyName() {
        var state = SpecLoader.loadLoose(Trees.of(Map.of(
                "orders.yaml", named("orders", "nightly"),
                "again.yaml", Trees.restore("carts", KEPT),
                "policy.yaml",
                        selecting("hourly", "gcs: {bucket: backups}")
                                .replace("namespaces: [demo]", "environments: [x]"))));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings()).containsKey(ORDERS);
    }

    @Test
    void invalidFleetRejectsNoPolicy() {
        var state = load(
                "etcd-gitops.yaml",
                Trees.fleet("  environments: [{name: prod, path: clusters/}]\n"),
                "policies/a.yaml",
                selecting("nightly", "gcs: {bucket: backups}").replace("namespaces: [demo]", "environments: [prod]"),
                "clusters/a.yaml",
                Trees.ring("orders", ""));

        assertThat(codes(state)).containsExactly("unknown-field");
        assertThat(state.protection().policies()).hasSize(1);
    }
}
