package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.table.RulePage;
import io.github.etcdgitops.spec.ring.RuleKind;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = "Explains a rule and its settings; without a rule, lists all rules.",
        mixinStandardHelpOptions = true)
final class PolicyExplainCommand implements Callable<Integer> {
    private final Surface process;

    @Parameters(index = "0", arity = "0..1", paramLabel = "RULE", description = "For example require-tls.")
    @Nullable
    String rule;

    @Mixin
    private final Options.Output output = new Options.Output();

    PolicyExplainCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        String wanted = rule;
        var rules = wanted == null
                ? RuleKind.builtIn()
                : List.of(RuleKind.of(wanted).orElseThrow(() -> unknown(wanted)));
        String schema = Schemas.text("Policy").orElseThrow();
        new Outputs(output, process.terminal(), process.out()).write(new RulePage(rules, schema));
        return ExitCode.SUCCESS.code();
    }

    private static RunException unknown(String rule) {
        return new RunException(
                RunException.Kind.CONFIGURATION,
                "there is no built-in rule " + rule + "; there are "
                        + RuleKind.builtIn().stream().map(RuleKind::toString).collect(Collectors.joining(", ")));
    }
}
