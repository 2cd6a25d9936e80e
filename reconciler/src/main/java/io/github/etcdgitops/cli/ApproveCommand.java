package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.JsonLine;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.wiring.ApprovalRulesCheck;
import io.github.etcdgitops.cli.wiring.Source;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "approve",
        description = {
            "Prints the approval document for planned operations that wait for one.",
            "Put it below approvals/ and have it reviewed: the merge is the approval."
        },
        mixinStandardHelpOptions = true)
final class ApproveCommand implements Callable<Integer> {
    /// Printed to a terminal, the document approves nothing yet.
    private static final String PLACE =
            "# To approve, have this reviewed and merged as a file below approvals/ that ends in .yaml.\n";

    private final Surface process;

    @Mixin
    private final Options.Repository repository = new Options.Repository();

    @Mixin
    private final Options.Cluster cluster = new Options.Cluster();

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "Operation to approve; may be given several times. Default: all that wait for an approval.")
    List<String> operations = new ArrayList<>();

    @Option(
            names = "--cluster-id",
            paramLabel = "ID",
            description =
                    "Cluster ID of the ring, for an operation that shuts the ring down to create it again. Only an"
                            + " approval with this ID approves such an operation.")
    Optional<String> clusterId = Optional.empty();

    @Option(
            names = "--rules",
            paramLabel = "ID",
            description = "Approve this change of the approval rules, instead of operations. The command does not check"
                    + " whether the change exists.")
    Optional<String> rules = Optional.empty();

    @Option(names = "--by", paramLabel = "NAME", required = true, description = "Who approves.")
    String by = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why.")
    String reason = "";

    @Option(names = "--expires-in", paramLabel = "HOURS", defaultValue = "24", description = "Default: 24 hours.")
    int hours = 24;

    ApproveCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (rules.isPresent()) {
            process.out().print(ofRules(rules.get(), Surface.clock().instant()));
            return ExitCode.SUCCESS.code();
        }
        try (var source = Source.open(repository, process.environment());
                var wiring = Wiring.open(cluster, process.environment())) {
            String environment = wiring.environment(source, repository);
            var desired = new ApprovalRulesCheck(source, environment, wiring.now())
                    .ofPlan(wiring.watermarks(), repository.branch(), source.desired(environment, wiring.now()));
            var plan = wiring.view().plan(desired, environment);
            var chosen = new TreeMap<String, List<PlannedOperation>>();
            plan.clusters()
                    .forEach(c -> approvable(c.operations())
                            .forEach(o -> chosen.computeIfAbsent(c.ref().toString(), _ -> new ArrayList<>())
                                    .add(o)));
            if (chosen.isEmpty()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        operations.isEmpty()
                                ? "no planned operation waits for an approval" + toBeNamed(plan)
                                : "none of these operations is planned now: " + String.join(", ", operations));
            }
            process.out().print(documents(chosen, expires(wiring.now())));
            return ExitCode.SUCCESS.code();
        }
    }

    /// A backup waits for its change, and a feature gate for its place: neither needs an approval.
    boolean meant(PlannedOperation planned) {
        return operations.isEmpty()
                ? !planned.verdict().lets() && !(planned.operation() instanceof TakeBackup) && !waitsForTurn(planned)
                : operations.contains(planned.operation().id());
    }

    /// Without a ring's name, no operation that ends the ring, and none that waits for one.
    List<PlannedOperation> approvable(List<PlannedOperation> planned) {
        return planned.stream().filter(this::meant).takeWhile(this::named).toList();
    }

    /// Operations that are left out because the command does not name their ring.
    private String toBeNamed(FleetPlan plan) {
        var named = plan.clusters().stream()
                .flatMap(c -> c.operations().stream())
                .filter(this::meant)
                .map(PlannedOperation::operation)
                .filter(o -> o.toBeNamed().isPresent())
                .map(o -> o.kind() + " of " + o.ref() + ", which names "
                        + o.toBeNamed().get())
                .toList();
        return named.isEmpty() ? "" : " without --cluster-id. These need it: " + String.join("; ", named);
    }

    /// An operation that ends a ring can be approved only by naming that ring.
    private boolean named(PlannedOperation planned) {
        var operation = planned.operation();
        var wanted = operation.toBeNamed();
        boolean same = wanted.isEmpty() || wanted.map(EtcdId::toString).equals(clusterId);
        if (!same && operations.contains(operation.id())) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    operation.kind() + " " + operation.id() + " shuts down the ring " + operation.ref()
                            + " with cluster ID " + wanted.get() + ": add --cluster-id " + wanted.get()
                            + " if you mean this ring");
        }
        return same;
    }

    private static boolean waitsForTurn(PlannedOperation planned) {
        return planned.verdict() instanceof Verdict.Hold hold && hold.rule().equals(FeatureRollout.RULE);
    }

    private Instant expires(Instant now) {
        return now.plus(Duration.ofHours(hours)).truncatedTo(ChronoUnit.SECONDS);
    }

    String ofRules(String change, Instant now) {
        if (!change.matches("[0-9a-f]{16}")) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "--rules takes the id of a change of rules as the plan prints it, 16 hexadecimal digits, not '"
                            + change + "'");
        }
        if (!operations.isEmpty() || clusterId.isPresent()) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    "--rules cannot be combined with --operation and --cluster-id: run the command twice");
        }
        return PLACE + head("rules-" + change.substring(0, 8)) + "  rules: \"" + change + "\"\n" + word(expires(now));
    }

    private static String head(String name) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: Approval\nmetadata:\n  name: " + name + "\nspec:\n";
    }

    private String word(Instant expires) {
        return "  approvedBy: " + JsonLine.quoted(by) + "\n  reason: " + JsonLine.quoted(reason) + "\n  expires: \""
                + expires + "\"\n";
    }

    String documents(Map<String, List<PlannedOperation>> chosen, Instant expires) {
        var out = new StringBuilder();
        chosen.values().forEach(ops -> {
            var ref = ops.getFirst().operation().ref();
            out.append(out.isEmpty() ? PLACE : "---\n");
            out.append(head(ref.name() + '-' + ops.getFirst().operation().id().substring(0, 8)))
                    .append("  cluster:\n    namespace: ")
                    .append(ref.namespace())
                    .append("\n    name: ")
                    .append(ref.name())
                    .append(clusterId
                            .map(id -> "\n  clusterId: " + JsonLine.quoted(id))
                            .orElse(""))
                    .append("\n  operations:\n");
            ops.forEach(o -> out.append("    - \"")
                    .append(o.operation().id())
                    .append("\" # ")
                    .append(o.operation().kind())
                    .append(": ")
                    .append(Inert.line(o.operation().summary()))
                    .append(o.operation()
                            .resolved()
                            .carried()
                            .line()
                            .map(line -> ", with " + Inert.line(line))
                            .orElse(""))
                    .append('\n'));
            out.append(word(expires));
        });
        return out.toString();
    }
}
