package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.OfflineWiring;
import io.github.etcdgitops.document.PolicyTests;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.policy.Hearing;
import io.github.etcdgitops.rehearsal.Coverage;
import io.github.etcdgitops.rehearsal.Played;
import io.github.etcdgitops.rehearsal.Rehearsal;
import io.github.etcdgitops.spec.DesiredState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "test",
        description = "Runs the policy tests of a repository (kind PolicyTest). Needs no cluster, no network and no"
                + " secret.",
        mixinStandardHelpOptions = true)
final class PolicyTestCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "The config repository whose policies and Fleet are tested. Default: .")
    Path path = Path.of(".");

    @Option(
            names = "--tests",
            paramLabel = "PATH",
            description = "A file or a folder with tests; may be given several times. Default: tests/ of the"
                    + " repository.")
    List<Path> tests = new ArrayList<>();

    @Option(
            names = "--coverage",
            description = "Also fail if a rule has no case that complies with it, or none that breaks it.")
    boolean coverage;

    @Mixin
    private final Options.Output output = new Options.Output(MoreFormats.CHECKS);

    PolicyTestCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var rules = PolicyTests.rules(LocalTree.repository(path));
        var asked = SpecLoader.load(rules);
        var found = PolicyTests.read(tests.isEmpty() ? List.of(path.resolve("tests")) : tests);
        var played = asked.violations().isEmpty()
                ? play(found, new Rehearsal(path, rules, asked.fleet(), OfflineWiring::at))
                : List.<Played>of();
        var heard = played.stream().map(Played::hearings).flatMap(List::stream).toList();
        var wrong = Stream.concat(asked.violations().stream(), found.violations().stream())
                .toList();
        var tested = new PolicyTestReport(played, wrong, coverage(asked, heard), coverage);
        new Outputs(output, process.terminal(), process.out()).write(tested);
        return (tested.passed() ? ExitCode.SUCCESS : ExitCode.INVALID).code();
    }

    /// The coverage of unreadable rules is not reported.
    private static Coverage coverage(DesiredState asked, List<Hearing> heard) {
        return Coverage.of(
                asked.violations().isEmpty() ? asked.decisions().rules().policies() : List.of(), heard);
    }

    private static List<Played> play(PolicyTests found, Rehearsal rehearsal) {
        return found.tests().stream()
                .flatMap(test -> test.test().cases().stream().map(one -> rehearsal.play(test, one)))
                .toList();
    }
}
