package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a person sees of it, and the exit code. No Kubernetes is near: a command that gets past the repository ends
/// with another code, and says so.
class GitCommandLineTest extends WithOrigin {
    private static final String MAIN = "refs/heads/main";

    private SigningKey ann;
    private Path allowed;

    record Said(int code, String text) {}

    @BeforeEach
    void prepare() throws IOException, GeneralSecurityException {
        ann = SigningKey.of(folder.resolve("ann"));
        allowed = Files.writeString(folder.resolve("allowed"), "ann@example.org " + ann.line() + "\n");
    }

    private Said run(Map<String, String> environment, String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--repo", origin.path.toString(), "--ref", "main", "--cache-dir", cache.toString()));
        if (!all.contains("--kubeconfig")) {
            all.addAll(List.of("--kubeconfig", folder.resolve("none").toString()));
        }
        var err = new ByteArrayOutputStream();
        try (var out = new PrintStream(err, true, UTF_8)) {
            int code = Cli.run(all.toArray(String[]::new), environment, out, out);
            String text = err.toString(UTF_8);
            assertThat(text).doesNotContain("\tat ", "this is a bug");
            return new Said(code, text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "status", "reconcile", "reconcile --dry-run", "apply p.json"})
    void everyCommandRefusesUnsignedCommits(String line) throws IOException {
        Files.writeString(folder.resolve("p.json"), "{\"kind\":\"Plan\",\"formatVersion\":\"1.0\"}");
        commit(MAIN, "one");
        var args = new ArrayList<>(List.of(
                line.replace("p.json", folder.resolve("p.json").toString()).split(" ")));
        args.addAll(List.of("--git-allowed-signers", allowed.toString()));

        var said = run(Map.of(), args.toArray(String[]::new));

        assertThat(said.text()).contains("is not signed");
        assertThat(said.code()).isEqualTo(77);
    }

    @Test
    void acceptsSignedCommitWithSignersFromEnvironment() {
        var environment = Map.of("ETCD_GITOPS_GIT_ALLOWED_SIGNERS", allowed.toString());
        commit(MAIN, "one");
        assertThat(run(environment, "plan").code()).isEqualTo(77);

        origin.commit(MAIN, origin.files(Map.of("clusters/a.yaml", "two")), ann.signs());
        var said = run(environment, "plan");
        assertThat(said.code()).as(said.text()).isNotEqualTo(77);
        assertThat(said.text()).contains("none");
    }

    @Test
    void rejectsUnreadableAllowedSignersFile() throws IOException {
        Files.delete(allowed);
        commit(MAIN, "one");

        var said = run(Map.of(), "plan", "--git-allowed-signers", allowed.toString());

        assertThat(said.text()).contains("the allowed signers cannot be read: " + allowed);
        assertThat(said.code()).isEqualTo(78);
    }

    @Test
    void revokedSignersAloneAreAWrongConfiguration() {
        commit(MAIN, "one");

        var said = run(Map.of(), "plan", "--git-revoked-signers", allowed.toString());

        assertThat(said.text()).contains("needs --git-allowed-signers");
        assertThat(said.code()).isEqualTo(78);
    }

    @Test
    void doctorSaysWhoseSignatureIsMissing() {
        commit(MAIN, "one");

        var said = run(Map.of(), "doctor", "--git-allowed-signers", allowed.toString());

        assertThat(said.text()).contains("signature", "is not signed", "--git-allowed-signers");
        assertThat(said.code()).isEqualTo(78); // Kubernetes is missing as well, which is worse.
    }

    @Test
    void reconcileRecordsAcceptedCommitAndRefusesRewrittenBranch() throws IOException {
        String base = commit(MAIN, "base");
        String good = commit(MAIN, "good");
        try (var kubernetes = new TinyKubernetes()) {
            String config = kubernetes.kubeconfig(folder.resolve("kubeconfig")).toString();
            run(Map.of(), "reconcile", "--kubeconfig", config);
            assertThat(kubernetes.configMaps).containsKey("etcd-gitops-watermark-default");
            assertThat(kubernetes.configMaps.toString()).contains(good);

            origin.set(MAIN, ObjectId.fromString(base));
            String evil = commit(MAIN, "evil");
            var refused = run(Map.of(), "reconcile", "--kubeconfig", config);
            assertThat(refused.text()).contains("main of " + origin.path, good, "--git-accept-rewritten " + evil);
            assertThat(refused.code()).isEqualTo(77);
            assertThat(run(Map.of(), "reconcile", "--dry-run", "--kubeconfig", config)
                            .code())
                    .isEqualTo(77);
            assertThat(kubernetes.configMaps.toString()).contains(good).doesNotContain(evil);

            var accepted = run(Map.of(), "reconcile", "--git-accept-rewritten", evil, "--kubeconfig", config);
            assertThat(accepted.text()).contains("warning: ", "accepted, as --git-accept-rewritten says");
            assertThat(kubernetes.configMaps.toString()).contains(evil).doesNotContain(good);
        }
    }

    /// A ring that is to be founded, where the Fleet lets nothing happen without an approval.
    @Test
    void planNamesAuthorWhoseApprovalDoesNotCount() throws IOException {
        var files = new TreeMap<String, String>();
        files.put("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec: {approvals: {from: low}}
            """);
        files.put("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.5.16"}
            """);
        origin.commit(MAIN, origin.files(files), by("mallory"));
        try (var kubernetes = new TinyKubernetes()) {
            kubernetes.empty = true;
            String config = kubernetes.kubeconfig(folder.resolve("kubeconfig")).toString();
            String approval = run(Map.of(), "approve", "--by", "kim", "--reason", "new", "--kubeconfig", config)
                    .text();

            files.put("approvals/a.yaml", approval);
            origin.commit(MAIN, origin.files(files), by("mallory"));
            assertThat(run(Map.of(), "plan", "--kubeconfig", config).text())
                    .contains("held by approval", "does not count, as mallory@example.org wrote the change");

            files.remove("approvals/a.yaml");
            files.put("approvals/b.yaml", approval);
            origin.commit(MAIN, origin.files(files), by("kim"));
            assertThat(run(Map.of(), "plan", "--kubeconfig", config).text())
                    .as("one that was moved is the same one")
                    .contains("mallory@example.org wrote the change");

            files.remove("approvals/b.yaml");
            origin.commit(MAIN, origin.files(files), by("mallory"));
            files.put("approvals/c.yaml", approval);
            origin.commit(MAIN, origin.files(files), by("kim"));
            assertThat(run(Map.of(), "plan", "--kubeconfig", config).text())
                    .contains("BootstrapCluster")
                    .doesNotContain("held by", "approval-by-name");
        }
    }

    private static Consumer<CommitBuilder> by(String name) {
        return commit -> commit.setAuthor(new PersonIdent(name, name + "@example.org", Instant.EPOCH, ZoneOffset.UTC));
    }

    @Test
    void applyRefusesASavedPlanOfABranchThatWasRewrittenAsARunDoes() throws IOException {
        String plan = Files.writeString(folder.resolve("p.json"), "{\"kind\":\"Plan\",\"formatVersion\":\"1.0\"}")
                .toString();
        String base = commit(MAIN, "base");
        String good = commit(MAIN, "good");
        try (var kubernetes = new TinyKubernetes()) {
            String config = kubernetes.kubeconfig(folder.resolve("kubeconfig")).toString();
            run(Map.of(), "apply", plan, "--kubeconfig", config);
            assertThat(kubernetes.configMaps.toString()).contains(good);

            origin.set(MAIN, ObjectId.fromString(base));
            String evil = commit(MAIN, "evil");
            var refused = run(Map.of(), "apply", plan, "--kubeconfig", config);
            assertThat(refused.code()).isEqualTo(77);
            assertThat(refused).isEqualTo(run(Map.of(), "reconcile", "--log-format", "text", "--kubeconfig", config));
            assertThat(kubernetes.configMaps.toString()).contains(good).doesNotContain(evil);

            run(Map.of(), "apply", plan, "--git-accept-rewritten", evil, "--kubeconfig", config);
            assertThat(kubernetes.configMaps.toString()).contains(evil).doesNotContain(good);
        }
    }

    @Test
    void requiresFullIdOfCommitToAccept() throws IOException {
        String tip = commit(MAIN, "one");
        try (var kubernetes = new TinyKubernetes()) {
            String config = kubernetes.kubeconfig(folder.resolve("kubeconfig")).toString();

            var said =
                    run(Map.of(), "reconcile", "--git-accept-rewritten", tip.substring(0, 12), "--kubeconfig", config);

            assertThat(said.text()).contains("a whole commit id of 40 digits");
            assertThat(said.code()).isEqualTo(78);
        }
    }

    @Test
    void reportSignerMustNotBeAllowedSigner() throws IOException {
        origin.commit(MAIN, origin.files(Map.of("clusters/a.yaml", "one")), ann.signs());
        String[] args = {
            "reconcile",
            "--git-signing-key",
            ann.file().toString(),
            "--git-allowed-signers",
            Files.writeString(folder.resolve("ca"), "* cert-authority " + ann.line() + "\n")
                    .toString()
        };
        for (int i = 0; i < 2; i++) {
            var said = run(Map.of(), args);

            assertThat(said.text()).contains("is among the allowed signers (" + ann.fingerprint() + ")");
            assertThat(said.code()).isEqualTo(78);
            args[4] = allowed.toString();
        }
    }

    @Test
    void rejectsReportKeyReadableByOthers() throws IOException {
        commit(MAIN, "one");
        Files.setPosixFilePermissions(ann.file(), PosixFilePermissions.fromString("rw-r--r--"));

        var said = run(Map.of(), "reconcile", "--git-signing-key", ann.file().toString());

        assertThat(said.text()).contains("can be read or written by others");
        assertThat(said.code()).isEqualTo(78);
    }
}
