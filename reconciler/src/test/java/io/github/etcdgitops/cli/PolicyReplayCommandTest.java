package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plans as reconcile publishes them, on the branch of a real repository, and policies that are not merged yet.
class PolicyReplayCommandTest {
    private static final Instant MONDAY = Instant.parse("2026-11-23T12:00:00Z");
    private static final Instant SATURDAY = Instant.parse("2026-11-28T01:30:00Z");

    @TempDir
    Path folder;

    private Path repository;
    private Path working;

    @BeforeEach
    void createsRepositoryAndUnmergedPolicy() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        working = Files.createDirectories(folder.resolve("working"));
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            assertThat(git.getRepository().isBare()).isFalse();
        }
        ring(3, "3.5.16");
        commit(repository, "clusters", "Orders", SATURDAY);
        write(working.resolve("policies/new.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: new}
            spec:
              rules:
                maintenance-window:
                  minRisk: medium
                  allow: [{schedule: "0 2 * * 6", duration: 4h, timeZone: Europe/Vienna}]
                waves: {order: [{matchLabels: {stage: canary}}]}
              validations:
                - name: never-large
                  target: operation
                  expression: operation.kind != 'ScaleOut' || object.spec.size <= 3
                  message: five are too many
            """);
    }

    private void ring(int size, String version) throws IOException {
        write(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: %d, version: "%s"}
            """.formatted(size, version));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String commit(Path where, String what, String message, Instant at) throws IOException, GitAPIException {
        try (var git = Git.open(where.toFile())) {
            git.add().addFilepattern(what).call();
            var who = new PersonIdent("a", "a@b", at, ZoneOffset.UTC);
            return git.commit()
                    .setMessage(message)
                    .setAuthor(who)
                    .setCommitter(who)
                    .setSign(false)
                    .call()
                    .name();
        }
    }

    /// Changes the ring, plans that offline, and publishes the plan as a run of that time would.
    private void published(int size, String version, Instant at) throws IOException, GitAPIException {
        String before = head();
        ring(size, version);
        String source = commit(repository, "clusters", "Change", at);
        var plan = Ran.of(
                environment(), "plan", "--offline", "--base", before, "--repo", repository.toString(), "-o", "json");
        publish(plan.out(), source, at);
    }

    private void publish(String plan, String source, Instant at) throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            boolean first = git.getRepository().findRef("refs/heads/etcd-gitops/reports/default") == null;
            git.checkout()
                    .setOrphan(first)
                    .setName("etcd-gitops/reports/default")
                    .call();
        }
        write(repository.resolve("latest/plan.json"), plan);
        commit(
                repository,
                "latest",
                "Plan: 1 to change\n\nEtcd-Gitops-Source-Sha: " + source + "\nEtcd-Gitops-Report: v1\n",
                at);
        try (var git = Git.open(repository.toFile())) {
            git.checkout().setName("main").setForced(true).call();
        }
    }

    private String head() throws IOException {
        try (var git = Git.open(repository.toFile())) {
            return git.getRepository().resolve("refs/heads/main").name();
        }
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    private Ran replay(String... more) {
        return Ran.of(
                environment(),
                Stream.concat(
                                Stream.of("policy", "replay", working.toString(), "--repo", repository.toString()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void namesOperationsThatWouldHaveBeenStopped() throws IOException, GitAPIException {
        published(3, "3.5.21", MONDAY);
        published(3, "3.5.30", SATURDAY);
        published(5, "3.5.30", SATURDAY.plusSeconds(60));

        var ran = replay();

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains(
                        "2026-11-23T12:00:00Z  demo/orders UpgradeVersion",
                        "hold [maintenance-window] no window is open")
                .contains("2026-11-28T01:31:00Z  demo/orders ScaleOut", "deny [never-large] five are too many")
                .contains("3 plans with 4 operations since 2026-11-23T12:00:00Z")
                .contains("3 operations of 2 plans would have been stopped (maintenance-window 1, never-large 2)")
                .doesNotContain("2026-11-28T01:30:00Z", "waves");
        assertThat(replay("-o", "json").out()).contains("\"maintenance-window\" : 1", "\"plans\" : 3");
    }

    @Test
    void replaysNewestPlansFirst() throws IOException, GitAPIException {
        published(3, "3.5.21", MONDAY);
        published(3, "3.5.30", SATURDAY);

        assertThat(replay("--last", "1").out()).contains("1 plan with 1 operation", "no allowed operation");
    }

    @Test
    void ofPlansThatSayTooLittleNothingIsMadeUp() throws IOException, GitAPIException {
        published(3, "3.5.21", MONDAY);
        publish(
                "{\"clusters\": [{\"namespace\": \"demo\", \"name\": \"orders\", \"operations\": [{\"kind\":"
                        + " \"ScaleIn\"}]}]}",
                head(),
                SATURDAY);
        publish("{}", "0123456789012345678901234567890123456789", SATURDAY);
        publish("[", head(), SATURDAY);

        assertThat(replay().out()).contains("1 plan with 1 operation", "3 plans skipped: insufficient data.");
    }

    @Test
    void reportsInvalidPolicy() throws IOException, GitAPIException {
        published(3, "3.5.21", MONDAY);
        Files.writeString(
                working.resolve("policies/new.yaml"),
                Files.readString(working.resolve("policies/new.yaml")).replace("never-large", "Never Large"));

        var ran = replay();

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("policies/new.yaml:");
    }

    @Test
    void withoutAReportThereIsNothingToAsk() {
        assertThat(replay().out()).contains("0 plans with 0 operations");
    }
}
