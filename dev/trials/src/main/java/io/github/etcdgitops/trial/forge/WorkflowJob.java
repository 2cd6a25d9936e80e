package io.github.etcdgitops.trial.forge;

import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// Plays the scripts of a job of `docs/workflows`, each by a shell of its own, with nothing in its environment that
/// the workflow does not give it. Of the expressions of forges it knows those that stand there, and what they are.
final class WorkflowJob {
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *([^}]*?) *}}");
    private static final Pattern FILE = Pattern.compile("hashFiles\\('([^']+)'\\) != ''");

    private final Path checkout;
    private final Path temp;
    private final Map<String, String> environment = new TreeMap<>();
    private final Map<String, String> expressions = new TreeMap<>();
    private final StringBuilder said = new StringBuilder();
    private final List<String> ran = new ArrayList<>();
    private boolean failed;

    /// `bin` has the programs that the job finds before those of the machine.
    WorkflowJob(Path checkout, Path temp, Path bin) throws IOException {
        this.checkout = checkout;
        this.temp = Files.createDirectories(temp);
        environment.put("PATH", bin + ":/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", Files.createDirectories(temp.resolve("home")).toString());
        environment.put("RUNNER_TEMP", temp.toString());
    }

    WorkflowJob with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    WorkflowJob knowing(Map<String, String> values) {
        expressions.putAll(values);
        return this;
    }

    /// The steps of the one job of a workflow of GitHub or Gitea.
    WorkflowJob github(String file) throws IOException, InterruptedException {
        var workflow = yaml(file);
        var job = (Map<?, ?>)
                ((Map<?, ?>) workflow.get("jobs")).values().iterator().next();
        var common = environment(job.get("env"));
        for (var item : (List<?>) job.get("steps")) {
            var step = (Map<?, ?>) item;
            String name = String.valueOf(step.get("name"));
            // Where the tool comes from is for whoever copies it to say.
            if (step.containsKey("run") && !name.equals("The tool") && wanted((String) step.get("if"))) {
                var own = new TreeMap<>(common);
                own.putAll(environment(step.get("env")));
                ran.add(name);
                failed |= shell(List.of("bash", "-e"), (String) step.get("run"), own) != 0;
                outputs(step);
            }
        }
        return this;
    }

    /// One job of a pipeline of GitLab.
    WorkflowJob gitlab(String file, String job) throws IOException, InterruptedException {
        var lines = ((List<?>) ((Map<?, ?>) yaml(file).get(job)).get("script"))
                .stream().map(String::valueOf).toList();
        ran.add(job);
        failed |= shell(List.of("bash", "-eo", "pipefail"), String.join("\n", lines), Map.of()) != 0;
        return this;
    }

    /// What a person would put into it besides.
    WorkflowJob also(String script) throws IOException, InterruptedException {
        failed |= shell(List.of("bash", "-e"), script, Map.of()) != 0;
        return this;
    }

    boolean green() {
        return !failed;
    }

    List<String> ran() {
        return ran;
    }

    /// Everything that its scripts printed.
    String said() {
        return said.toString();
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        var path = Path.of(System.getProperty("trials.root", ".")).resolve("docs/workflows/" + file);
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(path));
    }

    private Map<String, String> environment(Object node) {
        var values = new TreeMap<String, String>();
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> values.put((String) name, resolved(String.valueOf(value))));
        }
        return values;
    }

    private String resolved(String text) {
        return EXPRESSION.matcher(text).replaceAll(found -> {
            String value = expressions.get(found.group(1));
            TrialFailure.unless(value != null, "nobody knows " + found.group(1));
            return Matcher.quoteReplacement(String.valueOf(value));
        });
    }

    /// A step without a condition is passed over once one has failed.
    private boolean wanted(@Nullable String condition) {
        if (condition == null) {
            return !failed;
        }
        boolean wanted = condition.contains("!cancelled()") || !failed;
        for (String part : condition.replaceAll("^\\$\\{\\{|}}$", "").strip().split(" && ")) {
            var file = FILE.matcher(part);
            if (part.equals("!cancelled()")) {
                continue;
            }
            if (file.matches()) {
                wanted &= Files.exists(checkout.resolve(file.group(1)));
            } else if (part.endsWith(" != ''")) {
                wanted &= !expressions
                        .getOrDefault(part.replace(" != ''", ""), "")
                        .isEmpty();
            } else {
                TrialFailure.unlessSame("a condition", "steps.tool.outcome == 'success'", part);
            }
        }
        return wanted;
    }

    private void outputs(Map<?, ?> step) throws IOException {
        var file = temp.resolve("output");
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            expressions.put(
                    "steps." + step.get("id") + ".outputs." + line.replaceAll("=.*", ""),
                    line.replaceAll("^[^=]*=", ""));
        }
        Files.deleteIfExists(file);
    }

    private int shell(List<String> shell, String script, Map<String, String> own)
            throws IOException, InterruptedException {
        var line = new ArrayList<>(shell);
        line.add(Files.writeString(temp.resolve("script.sh"), script).toString());
        var out = temp.resolve("said.txt");
        var builder = new ProcessBuilder(line)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().putAll(own);
        builder.environment().put("GITHUB_OUTPUT", temp.resolve("output").toString());
        builder.environment()
                .put("GITHUB_STEP_SUMMARY", temp.resolve("summary.md").toString());
        int exit = builder.start().waitFor();
        said.append(Files.readString(out)).append("exit ").append(exit).append('\n');
        return exit;
    }
}
