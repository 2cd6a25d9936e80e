package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The workflows in the documentation are copied by people: what they call must be there, and what they guard must be
/// guarded.
class WorkflowsTest {
    private static final Path FOLDER = Path.of("../docs/workflows");
    private static final String FORK = "github-actions-fork.yaml";
    private static final String SECOND = "github-actions-fork-comment.yaml";

    static List<String> files() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String text(String file) throws IOException {
        return Files.readString(FOLDER.resolve(file));
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text(file));
    }

    /// What a shell gets, wherever it stands: `run` on GitHub, `script` and its like on GitLab.
    private static List<String> scripts(Object node) {
        var found = new ArrayList<String>();
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (List.of("run", "script", "before_script").contains(key)) {
                    (value instanceof List<?> lines ? lines : List.of(value)).forEach(line -> found.add((String) line));
                } else {
                    found.addAll(scripts(value));
                }
            });
        } else if (node instanceof List<?> list) {
            list.forEach(item -> found.addAll(scripts(item)));
        }
        return found;
    }

    private static List<String> calls(String file) throws IOException {
        return scripts(yaml(file)).stream()
                .flatMap(script -> script.replaceAll("\\\\\n\\s*", "").lines())
                .map(String::strip)
                .filter(line -> line.startsWith("etcd-gitops "))
                .toList();
    }

    private static String[] words(String call) {
        var words = new ArrayList<String>();
        var matcher = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(call);
        while (matcher.find()) {
            String word = Optional.ofNullable(matcher.group(1)).orElse(matcher.group());
            if (word.matches("\\|\\|.*|&&|\\||[0-9]?>.*")) {
                break;
            }
            words.add(word.equals("$NUMBER") ? "12" : word);
        }
        return words.subList(1, words.size()).toArray(String[]::new);
    }

    static Stream<String> everyCall() throws IOException {
        var all = new ArrayList<String>();
        for (String file : files()) {
            all.addAll(calls(file));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void everyCommandLineIsOne(String call) {
        var nowhere = InertStream.over(new PrintStream(new ByteArrayOutputStream()));
        var surface = new Surface(Map.of(), nowhere, nowhere, Terminal.of(Map.of()));

        assertThatNoException()
                .as(call)
                .isThrownBy(() -> Cli.requireKnownFormats(Cli.commands(surface).parseArgs(words(call))));
    }

    @Test
    void findsAllFilesAndCalls() throws IOException {
        assertThat(files())
                .containsExactly("github-actions-fork-comment.yaml", FORK, "github-actions.yaml", "gitlab-ci.yaml");
        assertThat(everyCall()).hasSize(11);
    }

    /// An expression in a script is pasted into it before a shell reads it: a title is a program then.
    @ParameterizedTest
    @MethodSource("files")
    void noScriptHasAnExpressionInIt(String file) throws IOException {
        assertThat(scripts(yaml(file))).isNotEmpty().noneMatch(script -> script.contains("${{"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void noWorkflowRunsWithRightsOnWhatAForkWrote(String file) throws IOException {
        assertThat(text(file)).doesNotContain("pull_request_target");
    }

    @ParameterizedTest
    @MethodSource("files")
    void variablesAreNoMisspeltOptions(String file) throws IOException {
        assertThat(Pattern.compile("ETCD_GITOPS_\\w+").matcher(text(file)).results())
                .allMatch(m -> m.group().equals("ETCD_GITOPS_FORGE_TOKEN"));
    }

    @Test
    void runsForkJobWithoutSecretsOrWriteRights() throws IOException {
        var workflow = yaml(FORK);

        assertThat(workflow.get("permissions")).isEqualTo(Map.of("contents", "read"));
        assertThat(jobs(workflow)).noneMatch(job -> job.containsKey("permissions") || job.containsKey("environment"));
        // YAML 1.1 reads the word `on` as true.
        assertThat(workflow.get(true)).isEqualTo(Map.of("pull_request", Map.of("branches", List.of("main"))));
        assertThat(text(FORK)).doesNotContain("secrets.", "secrets[", "github.token", "FORGE_TOKEN", ": write");
        assertThat(calls(FORK))
                .hasSize(2)
                .allMatch(call -> call.contains("--base ") && call.contains(" --base-policies"))
                .allMatch(call -> call.contains(" validate ") || call.contains(" plan --offline "));
        assertThat(text(FORK)).contains("head.repo.full_name != github.repository", "persist-credentials: false");
    }

    @Test
    void commentJobNeitherRunsNorTrustsForkContent() throws IOException {
        var workflow = yaml(SECOND);

        assertThat(workflow.get("permissions")).isEqualTo(Map.of());
        assertThat(jobs(workflow))
                .singleElement()
                .satisfies(job -> assertThat(job.get("permissions"))
                        .isEqualTo(Map.of("actions", "read", "pull-requests", "write")));
        assertThat(List.copyOf(((Map<?, ?>) workflow.get(true)).keySet()).toString())
                .isEqualTo("[workflow_run]");
        assertThat(text(SECOND)).doesNotContain("actions/checkout", "secrets.");
        assertThat(calls(SECOND)).singleElement().asString().contains("--untrusted", "--pull-request \"$NUMBER\"");
        // The number is known before the artifact is there.
        assertThat(text(SECOND).indexOf("number=$(")).isLessThan(text(SECOND).indexOf("download-artifact"));
        assertThat(((Map<?, ?>) ((Map<?, ?>) workflow.get(true)).get("workflow_run")).get("workflows"))
                .isEqualTo(List.of(yaml(FORK).get("name")));
    }

    @Test
    void restrictsJobWithSecretToOwnBranches() throws IOException {
        assertThat(jobs(yaml("github-actions.yaml")))
                .singleElement()
                .satisfies(job -> assertThat(job.get("if"))
                        .isEqualTo("github.event.pull_request.head.repo.full_name == github.repository"));
        assertThat(text("gitlab-ci.yaml"))
                .contains("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID");
    }

    /// The shell ends with the first command that fails, and a plan that is denied is what the author has to read.
    @Test
    void passesOnDeniedPlanOfFork() throws IOException {
        assertThat(scripts(yaml(FORK)))
                .filteredOn(script -> script.contains("plan.txt >>validation.txt"))
                .singleElement()
                .asString()
                .contains("|| code=$?", "exit \"$code\"");
    }

    /// A step without a condition is passed over once one has failed, and then nobody would say why.
    @Test
    void plansAndReportsDeniedDocuments() throws IOException {
        var steps = (List<?>) jobs(yaml("github-actions.yaml")).getFirst().get("steps");

        assertThat(steps.stream().map(step -> (Map<?, ?>) step))
                .filteredOn(step -> "Plan".equals(step.get("name")) || "Comment and status".equals(step.get("name")))
                .hasSize(2)
                .allMatch(step -> ((String) step.get("if")).contains("!cancelled()"));
    }

    private static List<Map<?, ?>> jobs(Map<?, ?> workflow) {
        var jobs = new ArrayList<Map<?, ?>>();
        ((Map<?, ?>) workflow.get("jobs")).values().forEach(job -> jobs.add((Map<?, ?>) job));
        return jobs;
    }
}
