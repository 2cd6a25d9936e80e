package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a plan without a cluster costs, and how that grows with each of the sizes that a fleet has, while the others
/// stay.
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "plan --offline of many rings, beside validate of the same documents. On request it varies the members"
                        + " of a ring, the share of rings that a commit changes, and the policies, one after the other.")
final class PlanBenchmark implements Callable<Integer> {
    private static final int HUNDRED = 100;

    @Mixin
    private final Measuring measuring = new Measuring();

    @Option(
            names = "--rings",
            split = ",",
            defaultValue = "100,1000,10000",
            description = "How many (${DEFAULT-VALUE}).")
    private List<Integer> rings = List.of();

    @Option(names = "--members", split = ",", description = "Of each ring, such as 1,3,5,7,9.")
    private List<Integer> members = List.of();

    @Option(names = "--changed", split = ",", description = "Percent of the rings, such as 0,10,50,100.")
    private List<Integer> changed = List.of();

    @Option(names = "--policies", split = ",", description = "How many, such as 0,30,100,300.")
    private List<Integer> policies = List.of();

    @Option(
            names = "--fleet",
            defaultValue = "1000",
            description = "Rings where something else is varied (${DEFAULT-VALUE}).")
    private int fleet;

    /// One point: everything that a plan's cost may depend on.
    private record Point(int rings, int members, int percentChanged, int policies) {
        String title() {
            return "plan --offline, " + rings + " rings"
                    + (members == FleetDocuments.MEMBERS ? "" : ", " + members + " members each")
                    + (percentChanged == 0 ? "" : ", " + percentChanged + " % changed")
                    + (policies == 0 ? "" : ", " + policies + " policies");
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var table = measuring.table();
        for (int count : rings) {
            measure(table, new Point(count, FleetDocuments.MEMBERS, 0, 0));
        }
        for (int size : members) {
            measure(table, new Point(fleet, size, 0, 0));
        }
        for (int percent : changed) {
            measure(table, new Point(fleet, FleetDocuments.MEMBERS, percent, 0));
        }
        for (int count : policies) {
            measure(table, new Point(fleet, FleetDocuments.MEMBERS, 0, count));
        }
        measuring.end(table);
        return CommandLine.ExitCode.OK;
    }

    private void measure(SpeedTable table, Point point) throws IOException, InterruptedException {
        try (var folder = new Scratch()) {
            var namespaces = IntStream.range(0, point.rings())
                    .mapToObj(RingPattern::namespace)
                    .toList();
            var documents =
                    FleetDocuments.write(folder.path().resolve("fleet"), namespaces, point.members(), point.policies());
            int other = point.rings() * point.percentChanged() / HUNDRED;
            FleetDocuments.resize(documents, namespaces.subList(0, other), point.members() + 2, false);
            var environment = FleetDocuments.environment(
                    documents, Files.createDirectory(folder.path().resolve("cache")));
            table.measure(
                    Measuring.tool(point.title(), environment, "plan", "--offline", "--base", "before"),
                    Measuring.tool("validate", Map.of(), "validate", documents.toString()));
        }
    }
}
