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

/// How the cost of a plan grows with each of the sizes that a fleet has, while the others stay.
@Command(
        name = "growth",
        mixinStandardHelpOptions = true,
        description =
                "How plan --offline grows: with rings, with members of a ring, with the share of rings that a commit"
                        + " changes, and with policies; each beside validate of the same documents.")
final class GrowthBenchmark implements Callable<Integer> {
    private static final int HUNDRED = 100;

    @Mixin
    private final Measuring measuring = new Measuring();

    @Option(
            names = "--rings",
            split = ",",
            defaultValue = "100,1000,10000",
            description = "How many (${DEFAULT-VALUE}).")
    private List<Integer> rings = List.of();

    @Option(
            names = "--members",
            split = ",",
            defaultValue = "1,3,5,7,9",
            description = "Of each ring (${DEFAULT-VALUE}).")
    private List<Integer> members = List.of();

    @Option(names = "--changed", split = ",", defaultValue = "0,10,50,100", description = "Percent (${DEFAULT-VALUE}).")
    private List<Integer> changed = List.of();

    @Option(
            names = "--policies",
            split = ",",
            defaultValue = "0,30,100,300",
            description = "How many (${DEFAULT-VALUE}).")
    private List<Integer> policies = List.of();

    @Option(
            names = "--fleet",
            defaultValue = "1000",
            description = "Rings where something else is varied (${DEFAULT-VALUE}).")
    private int fleet;

    /// One point: everything that a plan's cost may depend on.
    private record Point(int rings, int members, int percentChanged, int policies) {
        String title() {
            return "plan --offline, " + rings + " × " + members + ", " + percentChanged + " % changed, " + policies
                    + " policies";
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
            FleetDocuments.resize(documents, namespaces.subList(0, other), point.members() + 2);
            var environment = FleetDocuments.environment(
                    documents, Files.createDirectory(folder.path().resolve("cache")));
            table.measure(
                    Measuring.tool(point.title(), environment, "plan", "--offline", "--base", "before"),
                    Measuring.tool("validate", Map.of(), "validate", documents.toString()));
        }
    }
}
