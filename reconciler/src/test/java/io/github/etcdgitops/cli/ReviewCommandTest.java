package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReviewCommandTest {
    private static final Map<String, String> TOKEN = Map.of("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN);

    @TempDir
    Path folder;

    private final List<Ran> ran = new ArrayList<>();
    private FakeForge fake = new FakeForge(Forge.Kind.GITHUB);
    private Path plan = Path.of("");

    @BeforeEach
    void writesPlan() throws IOException {
        plan = Files.writeString(folder.resolve("plan.md"), "# Rings\n\n3 to change\n");
    }

    /// Whatever happened.
    @AfterEach
    void neverPrintsToken() {
        fake.close();
        assertThat(ran)
                .allSatisfy(r -> assertThat(r.out() + r.err())
                        .doesNotContain(FakeForge.TOKEN, "words of the forge", "Exception", "\tat "));
    }

    private Ran run(Map<String, String> environment, String... args) {
        var result = Ran.of(environment, args);
        ran.add(result);
        return result;
    }

    private Ran comment(String... more) {
        var args = new ArrayList<>(List.of("review", "comment", "--forge", "github", "--repository", "acme/rings"));
        args.addAll(List.of("--api-url", fake.api().toString(), "--pull-request", "12", "--from", plan.toString()));
        args.addAll(List.of(more));
        return run(TOKEN, args.toArray(String[]::new));
    }

    private Ran status(String... more) {
        var args = new ArrayList<>(List.of("review", "status", "--forge", "github", "--repository", "acme/rings"));
        args.addAll(List.of("--api-url", fake.api().toString(), "--commit", FakeForge.COMMIT));
        args.addAll(List.of(more));
        return run(TOKEN, args.toArray(String[]::new));
    }

    private void use(Forge.Kind kind) {
        fake.close();
        fake = new FakeForge(kind);
    }

    @Test
    void keepsTheCommentAndSaysWhatItDid() throws IOException {
        assertThat(comment().out()).isEqualTo("the comment 'etcd-gitops' in pull request 12 was created\n");
        assertThat(comment().out()).endsWith("is already up to date: nothing was written\n");
        Files.writeString(plan, "# Rings\n\nnothing to change\n");
        assertThat(comment().out()).endsWith("was updated\n");

        assertThat(fake.bodies())
                .containsExactly("<!-- etcd-gitops review: etcd-gitops -->\n# Rings\n\nnothing to change");
    }

    @Test
    void writesOneCommentPerContext() {
        comment("--context", "staging");
        comment("--context", "production");

        assertThat(fake.bodies()).hasSize(2);
    }

    @Test
    void ofSeveralOfOursItWarns() {
        comment();
        fake.comment(FakeForge.OURS, fake.bodies().getFirst());

        assertThat(comment().err()).contains("warning: 1 more comments of this account");
    }

    @Test
    void cutsLongPlanToGitHubLimit() throws IOException {
        Files.writeString(plan, "# Rings\n" + "row\n".repeat(30_000));

        assertThat(comment("--report-url", "https://ci.example/1").code()).isZero();

        assertThat(fake.bodies().getFirst())
                .hasSizeLessThanOrEqualTo(65_536)
                .endsWith("lines are left out. Full text: <https://ci.example/1>");
    }

    @Test
    void leavesASecretOutOfACommentAndSendsTheRest() throws IOException {
        Files.writeString(plan, "# Rings\n\ngh" + "p_" + "a".repeat(36) + " is ring orders");

        var sent = comment();

        assertThat(sent.code()).isZero();
        assertThat(sent.err()).contains("looks like a key or a token: it was left out");
        assertThat(fake.bodies().getFirst()).contains("(left out: looks like a key or a token) is ring orders");
    }

    @Test
    void refusesToPostForgeToken() throws IOException {
        Files.writeString(plan, "# Rings\n\n" + FakeForge.TOKEN);

        assertThat(comment().code()).isEqualTo(77);
        assertThat(status("--state", "success", "--description", "by " + FakeForge.TOKEN)
                        .code())
                .isEqualTo(77);
        assertThat(fake.asked()).isEmpty();
    }

    @Test
    void quotesUntrustedTextAndRefusesSymlink() throws IOException {
        Files.writeString(plan, "@everyone # approved\n");
        assertThat(comment("--untrusted").code()).isZero();
        assertThat(fake.bodies().getFirst()).contains("```text\n@everyone # approved\n```");

        var secret = Files.writeString(folder.resolve("environ"), "HOME=/root");
        plan = Files.createSymbolicLink(folder.resolve("validation.txt"), secret);
        var refused = comment("--untrusted");

        assertThat(refused.code()).isEqualTo(78);
        assertThat(refused.err()).contains("not a regular file");
        assertThat(fake.bodies()).hasSize(1);
    }

    @Test
    void readsTokenFromFileAndRequiresOne() throws IOException {
        var file = Files.writeString(folder.resolve("token"), FakeForge.TOKEN + "\n");
        String[] args = {
            "review",
            "comment",
            "--forge",
            "github",
            "--repository",
            "acme/rings",
            "--api-url",
            fake.api() + "",
            "--pull-request",
            "12",
            "--from",
            plan.toString(),
            "--token-file",
            file.toString()
        };

        assertThat(run(Map.of(), args).code()).isZero();
        var without = run(Map.of(), Stream.of(args).limit(args.length - 2).toArray(String[]::new));
        assertThat(without.code()).isEqualTo(78);
        assertThat(without.err()).contains("no token: set ETCD_GITOPS_FORGE_TOKEN");
    }

    static Stream<List<String>> wrongCalls() {
        return Stream.of(
                List.of("comment", "--pull-request", "0"),
                List.of("comment", "--pull-request", "twelve"),
                List.of("comment", "--context", "a--b"),
                List.of("comment", "--report-url", "javascript:alert(1)"),
                List.of("comment", "--forge", "sourcehut"),
                List.of("comment", "--token", "x"),
                List.of("status", "--state", "success"),
                List.of("status", "--description", "x"),
                List.of("status", "--state", "great", "--description", "x"),
                List.of("status", "--state", "success", "--description", "x", "--from", "plan.json"),
                List.of("status", "--state", "success", "--description", "x", "--commit", "main"),
                List.of("status"));
    }

    @ParameterizedTest
    @MethodSource("wrongCalls")
    void usageErrorCallsNothing(List<String> call) {
        String[] more = call.subList(1, call.size()).toArray(String[]::new);

        assertThat(call.getFirst().equals("comment") ? comment(more) : status(more))
                .extracting(Ran::code)
                .isEqualTo(64);

        assertThat(fake.asked()).isEmpty();
    }

    @Test
    void namesMissingOption() {
        assertThat(run(TOKEN, "review", "comment", "--from", "x").err()).contains("--forge is missing");
        assertThat(run(TOKEN, "review", "comment", "--from", "x", "--forge", "gitea", "--repository", "a/b")
                        .err())
                .contains("--api-url is missing");
        assertThat(run(TOKEN, "review").code()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({"401,77", "403,77", "404,78", "422,78", "409,75", "500,75", "429,75"})
    void eachRefusalHasItsExitCode(int status, int code) {
        fake.refuse(status, Map.of("Retry-After", "3600"), status == 403 ? 0 : 3);
        if (status == 403) {
            fake.refuse(403, Map.of(), 3);
        }

        var refused = status("--state", "success", "--description", "x");

        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.err()).startsWith("error: GitHub ");
    }

    @Test
    void tokenForAnotherHostIsNotSentInPlainText() {
        var refused = run(
                TOKEN,
                "review",
                "comment",
                "--forge",
                "gitea",
                "--repository",
                "a/b",
                "--api-url",
                "http://git.example/api/v1",
                "--pull-request",
                "1",
                "--from",
                plan.toString());

        assertThat(refused.code()).isEqualTo(78);
        assertThat(refused.err()).contains("http:// is only for loopback");
    }

    @Test
    void derivesStatusFromPlanAndPostsItOnce() throws IOException {
        var json = Files.copy(
                Path.of("src/test/resources/golden/plans/scale-in-needs-approval.json"), folder.resolve("plan.json"));

        var first = status("--from", json.toString(), "--target-url", "https://ci.example/1");
        var second = status("--from", json.toString(), "--target-url", "https://ci.example/1");

        String line = "success, 1 ring changes, 1 waits for approval\n";
        assertThat(first.out()).isEqualTo("the status 'etcd-gitops' was set: " + line);
        assertThat(second.out())
                .isEqualTo("the status 'etcd-gitops' is already up to date, nothing was written: " + line);
        assertThat(fake.statuses())
                .hasSize(1)
                .first()
                .satisfies(s -> assertThat(s)
                        .containsEntry("state", "success")
                        .containsEntry("target_url", "https://ci.example/1"));
    }

    @Test
    void setsNoStatusWithoutPlan() throws IOException {
        var file = Files.writeString(folder.resolve("plan.json"), "{\"kind\":\"Plan\",\"formatVersion\":\"2.0\"}");

        assertThat(status("--from", file.toString()).code()).isEqualTo(78);
        assertThat(fake.asked()).isEmpty();
    }

    @Test
    void cutsLongDescriptionAndPostsEqualOneOnce() {
        status("--state", "success", "--description", "x".repeat(200) + "\n");
        status("--state", "success", "--description", "x".repeat(200));

        assertThat(fake.statuses())
                .hasSize(1)
                .first()
                .satisfies(s -> assertThat(s).containsEntry("description", "x".repeat(139) + "…"));
    }

    @ParameterizedTest
    @EnumSource
    void readsMissingOptionsFromCiJob(Forge.Kind kind) {
        use(kind);
        var environment = new HashMap<>(TOKEN);
        environment.putAll(
                kind == Forge.Kind.GITLAB
                        ? Map.of(
                                "GITLAB_CI",
                                "true",
                                "CI_API_V4_URL",
                                fake.api().toString(),
                                "CI_PROJECT_PATH",
                                "acme/rings",
                                "CI_MERGE_REQUEST_IID",
                                "12",
                                "CI_COMMIT_SHA",
                                FakeForge.COMMIT)
                        : Map.of(
                                kind == Forge.Kind.GITEA ? "GITEA_ACTIONS" : "GITHUB_ACTIONS",
                                "true",
                                "GITHUB_API_URL",
                                fake.api().toString(),
                                "GITHUB_REPOSITORY",
                                "acme/rings",
                                "GITHUB_REF",
                                "refs/pull/12/merge",
                                "GITHUB_SHA",
                                FakeForge.COMMIT));

        assertThat(run(environment, "review", "comment", "--from", plan.toString())
                        .err())
                .isEmpty();
        assertThat(run(environment, "review", "status", "--state", "pending", "--description", "planning")
                        .err())
                .isEmpty();

        assertThat(fake.bodies()).hasSize(1);
        assertThat(fake.statuses()).hasSize(1);
    }

    @Test
    void requiresAuthorForAppTokenButNotForJobToken() {
        fake.keepsToItselfWhoAsks(new Forge.Account(41, "github-actions[bot]", true));
        var job = new HashMap<>(TOKEN);
        job.putAll(Map.of(
                "GITHUB_ACTIONS", "true", "GITHUB_API_URL", fake.api().toString(), "GITHUB_REPOSITORY", "acme/rings"));
        String[] args = {"review", "comment", "--pull-request", "12", "--from", plan.toString()};

        assertThat(run(job, args).out()).endsWith("was created\n");
        assertThat(run(job, args).out()).contains("is already up to date");
        var outside = comment();
        assertThat(outside.code()).isEqualTo(78);
        assertThat(outside.err()).contains("--author");
        assertThat(comment("--author", "github-actions[bot]").out()).contains("is already up to date");
    }
}
