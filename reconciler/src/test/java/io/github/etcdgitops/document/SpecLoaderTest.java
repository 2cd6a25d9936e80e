package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SpecLoaderTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    @Test
    void fillsInDefaults() {
        var spec = ring("");

        assertThat(spec.size()).isEqualTo(3);
        assertThat(spec.server().version()).isEqualTo(new EtcdVersion(3, 5, 16));
        assertThat(spec.server().image().reference(spec.server().version()))
                .isEqualTo("gcr.io/etcd-development/etcd:v3.5.16");
        assertThat(spec.server().options()).isEmpty();
        assertThat(spec.storage()).isEqualTo(new EtcdClusterSpec.Storage("8Gi", Optional.empty()));
        assertThat(spec.network().clients()).isEmpty();
        assertThat(spec.declaration().source().toString()).isEqualTo("clusters/orders.yaml:1:1");
        assertThat(spec.declaration().notYet()).isEmpty();
    }

    @Test
    void readsEveryFieldOfARing() {
        var spec = ring("""
              image: {repository: quay.io/coreos/etcd, pullPolicy: Always}
              storage: {size: 100Gi, storageClassName: fast}
              networkPolicy:
                clientNamespaceSelector: {matchLabels: {team: shop}}
              etcd:
                snapshotCount: 10000
                logLevel: warn
                autoCompaction: {mode: revision, retention: "1000"}
              podTemplate:
                metadata:
                  labels: {team: shop}
                resources:
                  requests: {cpu: 2, memory: 1Gi}
                nodeSelector: {disk: ssd}
                affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}]}}
              suspend: {reason: moving, by: kim, until: "2026-12-01T08:00:00+01:00"}
            """);

        assertThat(spec.server().options())
                .containsEntry("snapshotCount", 10000)
                .containsEntry("logLevel", "warn")
                .containsEntry("autoCompaction", Map.of("mode", "revision", "retention", "1000"));
        assertThat(spec.podTemplate().labels()).isEqualTo(Map.of("team", "shop"));
        assertThat(spec.podTemplate().resources()).isEqualTo(Map.of("requests", Map.of("cpu", "2", "memory", "1Gi")));
        assertThat(spec.podTemplate().pod())
                .isEqualTo(Map.of(
                        "nodeSelector", Map.of("disk", "ssd"),
                        "affinity",
                                Map.of(
                                        "nodeAffinity",
                                        Map.of(
                                                "preferredDuringSchedulingIgnoredDuringExecution",
                                                List.of(Map.of("weight", 1, "preference", Map.of()))))));
        assertThat(spec.network().clients()).contains(Map.of("matchLabels", Map.of("team", "shop")));
        assertThat(spec.declaration().suspend())
                .contains(new EtcdClusterSpec.Suspension(
                        "moving", "kim", Optional.of(Instant.parse("2026-12-01T07:00:00Z"))));
        assertThat(spec.storage().storageClassName()).contains("fast");
    }

    @Test
    void givesAQuotaToAVolumeThatEtcdsDefaultWouldOverfill() {
        assertThat(ring("  storage: {size: 1Gi}\n").server().options())
                .isEqualTo(Map.of("quotaBackendBytes", 644245094));
        assertThat(ring("  storage: {size: 1Gi}\n  etcd: {quotaBackendBytes: 536870912}\n")
                        .server()
                        .options())
                .isEqualTo(Map.of("quotaBackendBytes", 536870912));
    }

    @Test
    void notesFieldsThatNothingCarriesOutYet() {
        var notYet = ring("""
              repair: {volumes: automatic, members: manual}
              restoreFrom: {backup: b1}
              deletion: {policy: retain}
            """).declaration().notYet();

        assertThat(notYet).extracting(EtcdClusterSpec.NotYet::pointer).containsExactly("/spec/restoreFrom");
        assertThat(notYet)
                .filteredOn(EtcdClusterSpec.NotYet::blocksBootstrap)
                .extracting(EtcdClusterSpec.NotYet::pointer)
                .containsExactly("/spec/restoreFrom");
    }

    @Test
    void readsWhatBecomesOfVolumesOfMembersThatLeft() {
        assertThat(leftFor("{whenScaled: Delete, after: 36h}")).contains(Duration.ofHours(36));
        assertThat(leftFor("{whenScaled: Delete}")).contains(Duration.ofDays(7));
        assertThat(leftFor("{whenScaled: Retain, after: 1d}")).isEmpty();
        assertThat(leftFor("{}")).isEmpty();
    }

    private Optional<Duration> leftFor(String retention) {
        return ring("  storage: {retention: " + retention + "}\n")
                .declaration()
                .handling()
                .maintenance()
                .deleteLeftAfter();
    }

    @Test
    void readsHowStoresAreMaintained() {
        var maintenance = ring("""
              repair: {space: automatic}
              maintenance:
                keepRevisions: 500
                defragment: {unusedPercent: 40, minimumSize: 2Gi}
                windows: [{schedule: "0 2 * * 6", duration: 90m, timeZone: Europe/Berlin}]
            """).declaration().handling().maintenance();

        assertThat(maintenance)
                .isEqualTo(new Maintenance(
                        Optional.of(new Maintenance.Defragment(40, 2L << 30)),
                        List.of(new Window(
                                Crontab.parse("0 2 * * 6"), Duration.ofMinutes(90), ZoneId.of("Europe/Berlin"))),
                        Repairs.Mode.AUTOMATIC,
                        500));
        assertThat(ring("").declaration().handling().maintenance()).isEqualTo(Maintenance.DEFAULT);
        assertThat(ring("  maintenance: {defragment: {unusedPercent: 40}}\n")
                        .declaration()
                        .handling()
                        .maintenance()
                        .defragment())
                .contains(new Maintenance.Defragment(40, 100L << 20));
    }

    @Test
    void readsWhoSigns() {
        var tls = ring("""
              tls:
                peer: mutual
                issuer: {kind: ClusterIssuer, name: ca, duration: 90d, ca: {number: 3, overlap: 0m}}
            """).server().tls();

        assertThat(tls.issuer()).isEqualTo(Tls.Issuer.CERT_MANAGER);
        assertThat(tls.reference()).contains(new Tls.IssuerRef("ClusterIssuer", "ca"));
        assertThat(tls.duration()).isEqualTo(Duration.ofDays(90));
        assertThat(tls.authority()).isEqualTo(new Tls.Authority(3, Duration.ZERO));
        assertThat(ring("  tls: {peer: mutual}\n").server().tls().authority()).isEqualTo(Tls.Authority.FIRST);
    }

    @Test
    void readsThePolicyAndTheLabelsByWhichBackupsAreTaken() {
        var files = Map.of(
                "clusters/orders.yaml",
                Trees.ring("orders", "  backup: {policy: nightly}\n")
                        .replace("  namespace: demo", "  namespace: demo\n  labels: {tier: gold}"),
                "policies/nightly.yaml",
                Trees.policy("nightly", ""));

        var state = SpecLoader.load(Trees.of(files));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings().get(ORDERS).declaration().backupPolicy()).contains("nightly");
        assertThat(state.rings().get(ORDERS).declaration().labels()).isEqualTo(Map.of("tier", "gold"));
        assertThat(state.rings().get(ORDERS).declaration().notYet()).isEmpty();
    }

    @Test
    void takesTheEnvironmentFromTheSpecBeforeTheLongestPath() {
        var files = new TreeMap<String, String>();
        files.put("etcd-gitops.yaml", Trees.fleet("""
              environments:
                - {name: all, paths: [clusters/]}
                - {name: prod, paths: [clusters/prod/]}
                - {name: lab}
              limits: {maxParallel: 3, maxParallelBackups: 2, maxParallelFeatures: 4, maxUnaskedRepairs: 0, maxFailures: 6}
              approvals: {from: medium, authorMayApprove: true}
            """));
        files.put("clusters/a.yaml", Trees.ring("a", ""));
        files.put("clusters/prod/b.yaml", Trees.ring("b", ""));
        files.put("clusters/prod/c.yml", Trees.ring("c", "  environment: lab\n"));

        var state = SpecLoader.load(Trees.of(files));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings().values())
                .extracting(s -> s.declaration().environment().orElse(""))
                .containsExactly("all", "prod", "lab");
        assertThat(state.fleet().limits()).isEqualTo(new Fleet.Limits(3, 2, 4, 0, OptionalInt.of(6)));
        assertThat(state.fleet().approvals().from()).isEqualTo(Risk.MEDIUM);
        assertThat(state.fleet().approvals().authorMayApprove()).isTrue();
    }

    /// Each level's word counts where the one below is silent, kind by kind.
    @Test
    void takesWhatMayBeRepairedFromTheLevelsAbove() {
        var files = new TreeMap<String, String>();
        files.put("etcd-gitops.yaml", Trees.fleet("""
              repair: {volumes: automatic, space: "off", machineGoneAfter: 2h}
              environments:
                - {name: prod, paths: [clusters/prod/], repair: {volumes: manual}}
                - {name: lab, paths: [clusters/lab/]}
            """));
        files.put("clusters/prod/a.yaml", Trees.ring("a", ""));
        files.put(
                "clusters/prod/b.yaml",
                Trees.ring("b", "  repair: {volumes: \"off\", space: automatic, machineGoneAfter: 1d}\n"));
        files.put("clusters/lab/c.yml", Trees.ring("c", ""));

        var state = SpecLoader.load(Trees.of(files));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings().values().stream().map(s -> s.declaration().handling()))
                .extracting(h -> h.repairs().volumes(), h -> h.maintenance().space())
                .containsExactly(
                        tuple(Repairs.Mode.MANUAL, Repairs.Mode.OFF),
                        tuple(Repairs.Mode.OFF, Repairs.Mode.AUTOMATIC),
                        tuple(Repairs.Mode.AUTOMATIC, Repairs.Mode.OFF));
        assertThat(state.rings().values().stream().map(s -> s.declaration().handling()))
                .extracting(h -> h.repairs().machineGoneAfter())
                .containsExactly(Duration.ofHours(2), Duration.ofDays(1), Duration.ofHours(2));
    }

    @Test
    void nodeMustBeGoneForAnHourByDefault() {
        assertThat(ring("").declaration().handling().repairs().machineGoneAfter())
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void rejectsARingWithoutAnEnvironmentWhereTheFleetHasSome() {
        var state = SpecLoader.load(Trees.of(Map.of(
                "etcd-gitops.yaml", Trees.fleet("  environments: [{name: prod, paths: [clusters/prod/]}]\n"),
                "clusters/orders.yaml", Trees.ring("orders", ""))));

        assertThat(codes(state)).containsExactly("no-environment");
        assertThat(state.rejected()).containsExactly(ORDERS);
    }

    @Test
    void rejectsBothDocumentsForOneRingInTwoFilesAndNoOtherRing() {
        var state = SpecLoader.load(Trees.of(Map.of(
                "clusters/a.yaml",
                Trees.ring("orders", ""),
                "clusters/b.yaml",
                Trees.ring("orders", "") + "---\n" + Trees.ring("carts", ""))));

        assertThat(state.rings()).containsOnlyKeys(new ClusterRef("demo", "carts"));
        assertThat(state.rejected()).containsExactly(ORDERS);
        assertThat(state.violations())
                .extracting(Violation::message)
                .satisfiesExactly(
                        first -> assertThat(first).contains("clusters/b.yaml:4:9"),
                        second -> assertThat(second).contains("clusters/a.yaml:4:9"));
    }

    @Test
    void staysReadableWhenHundredsOfThingsAreWrong() {
        var fields = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            fields.append("  field").append(i).append(": 1\n");
        }
        String ten = (Trees.ring("carts", "") + "---\n").repeat(10);

        var nonsense = SpecLoader.load(Trees.of(Map.of("clusters/a.yaml", Trees.ring("orders", fields.toString()))));
        var repeated = SpecLoader.load(Trees.of(Map.of("clusters/a.yaml", ten)));

        assertThat(nonsense.violations()).hasSize(101);
        assertThat(nonsense.violations().getFirst().message()).contains("500 violations");
        assertThat(repeated.violations())
                .hasSize(10)
                .allSatisfy(v -> assertThat(v.message()).contains("and 4 more places"));
    }

    @Test
    void keepsABrokenRingOutOfTheOrphans() {
        var state =
                SpecLoader.load(Trees.of(Map.of("clusters/a.yaml", Trees.ring("orders", "  storage: {size: 8Gi\n"))));

        assertThat(codes(state)).containsExactly("syntax-error");
        assertThat(state.rejected()).containsExactly(ORDERS);
    }

    @Test
    void failsClosedWhenTheFleetCouldNotBeRead() {
        var refused = Violation.of("symbolic-link", Location.ofFile("etcd-gitops.yaml"), "a link");
        var good = Trees.of(Map.of("clusters/a.yaml", Trees.ring("orders", "")));
        var misnamed = Trees.of(
                Map.of("clusters/a.yaml", Trees.ring("orders", ""), "etcd-gitops.yml", Trees.fleet("  limits: {}\n")));

        for (var tree : List.of(new SourceTree("0", good.documents(), List.of(refused), "d"), misnamed)) {
            var state = SpecLoader.load(tree);

            assertThat(state.rings()).isEmpty();
            assertThat(state.rejected()).containsExactly(ORDERS);
            assertThat(state.violations()).hasSize(1);
        }
    }

    @Test
    void readsApprovals() {
        var state = SpecLoader.load(Trees.of(Map.of("approvals/a.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: scale-in}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["0a1b2c3d4e5f"]
              approvedBy: kim
              expires: "2026-12-01T08:00:00.5Z"
            """)));

        assertThat(state.violations()).isEmpty();
        assertThat(state.approvals()).singleElement().satisfies(a -> {
            assertThat(a.cluster()).isEqualTo(ORDERS);
            assertThat(a.operations()).containsExactly("0a1b2c3d4e5f");
            assertThat(a.expires()).isEqualTo(Instant.parse("2026-12-01T08:00:00.500Z"));
        });
    }

    @Test
    void readsWhichVolumesAreToBeGivenUp() {
        var state = SpecLoader.load(
                Trees.of(Map.of("clusters/orders.yaml", Trees.ring("orders", ""), "clusters/reset.yaml", """
                    apiVersion: etcdgitops.dev/v1alpha1
                    kind: VolumeReset
                    metadata: {name: read-errors}
                    spec:
                      cluster: {namespace: demo, name: orders}
                      ordinal: 1
                      claimUid: 7c5e3f0a-9a54-4f6e-8e1c-2f6a0d1b9c34
                      reason: the disk reports read errors
                    """)));

        assertThat(state.violations()).isEmpty();
        var repairs = state.rings().get(ORDERS).declaration().handling().repairs();
        assertThat(repairs.resets()).singleElement().satisfies(reset -> {
            assertThat(reset.name()).isEqualTo("read-errors");
            assertThat(reset.ordinal()).isEqualTo(1);
            assertThat(reset.claimUid()).isEqualTo("7c5e3f0a-9a54-4f6e-8e1c-2f6a0d1b9c34");
        });
    }

    @Test
    void readsWhichMembersAreToBeReplaced() {
        var state = SpecLoader.load(
                Trees.of(Map.of("clusters/orders.yaml", Trees.ring("orders", ""), "clusters/replace.yaml", """
                    apiVersion: etcdgitops.dev/v1alpha1
                    kind: MemberReplacement
                    metadata: {name: orders-1-does-not-come-up}
                    spec:
                      cluster: {namespace: demo, name: orders}
                      ordinal: 1
                      memberId: 8e9e05c52164694d
                      reason: its container ends again and again
                    """)));

        assertThat(state.violations()).isEmpty();
        var repairs = state.rings().get(ORDERS).declaration().handling().repairs();
        assertThat(repairs.resets()).isEmpty();
        assertThat(repairs.replacements()).singleElement().satisfies(replacement -> {
            assertThat(replacement.name()).isEqualTo("orders-1-does-not-come-up");
            assertThat(replacement.ordinal()).isEqualTo(1);
            assertThat(replacement.memberId()).isEqualTo("8e9e05c52164694d");
        });
    }

    @Test
    void readsWhichRingsShallGo() {
        var state = SpecLoader.load(Trees.of(Map.of("tombstones/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata: {name: orders-is-over}
            spec:
              cluster: {namespace: demo, name: orders}
              clusterId: cdf818194e3a8c32
              data: retain
              reason: the team has moved
            """)));

        assertThat(state.violations()).isEmpty();
        assertThat(state.tombstones(ORDERS)).singleElement().satisfies(tombstone -> {
            assertThat(tombstone.name()).isEqualTo("orders-is-over");
            assertThat(tombstone.clusterId()).isEqualTo("cdf818194e3a8c32");
            assertThat(tombstone.data()).isEqualTo(Tombstone.Data.RETAIN);
            assertThat(tombstone.reason()).isEqualTo("the team has moved");
        });
        assertThat(state.tombstones(new ClusterRef("other", "orders"))).isEmpty();
    }

    @Test
    void carriesTheTreesViolationsAndDigestAndIgnoresFilesElsewhere() {
        var refused = Violation.of("symbolic-link", Location.ofFile("clusters/x.yaml"), "a link");
        var files = Trees.of(Map.of(".github/ci.yaml", "on: [push]\n", "clusters/README.md", "# no: yaml: here"));

        var state = SpecLoader.load(new SourceTree("0", files.documents(), List.of(refused), "sha256:1"));

        assertThat(state.violations()).containsExactly(refused);
        assertThat(state.digest()).isEqualTo("sha256:1");
        assertThat(state.fleet()).isEqualTo(Fleet.DEFAULT);
    }

    @Test
    void saysSoWhenThereIsNothingToRead() {
        assertThat(codes(SpecLoader.load(Trees.of(Map.of())))).containsExactly("nothing-to-read");
    }

    @Test
    void doesNotMindFoldersInLooseFiles() {
        var state = SpecLoader.loadLoose(Trees.of(Map.of("orders.yaml", Trees.ring("orders", ""))));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings()).containsOnlyKeys(ORDERS);
    }

    @Test
    void givesEqualSpecsForEqualMeaning() {
        var one = ring("  podTemplate: {resources: {limits: {cpu: 1}}, nodeSelector: {a: b, c: d}}\n");
        var other = ring("  podTemplate: {nodeSelector: {c: d, a: b}, resources: {limits: {cpu: \"1\"}}}\n");

        assertThat(one).isEqualTo(other);
    }

    private static EtcdClusterSpec ring(String spec) {
        var state = SpecLoader.load(Trees.of(Map.of("clusters/orders.yaml", Trees.ring("orders", spec))));
        assertThat(state.violations()).isEmpty();
        return state.rings().values().iterator().next();
    }

    private static List<String> codes(DesiredState state) {
        return state.violations().stream().map(Violation::code).toList();
    }
}
