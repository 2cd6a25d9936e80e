package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.pipeline.shard.Shard;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Options of a run by several processes.
public final class ShardOptions {
    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Run as shard I of N, numbered from 0; shard 0 publishes for all. Needs --run-id.")
    private Optional<String> shard = Optional.empty();

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description = "ID of the run: the same for all its processes, and different for each run. Only the part"
                    + " after the last dash counts, so a Job's name can be used.")
    private Optional<String> runId = Optional.empty();

    @Option(
            names = "--plan-patience",
            paramLabel = "MINUTES",
            description =
                    "How long the other shards wait for the plan of shard 0. It must be less than the time between"
                            + " runs. Default: 5",
            defaultValue = "5")
    private int planPatience;

    @Option(
            names = "--shard-patience",
            paramLabel = "MINUTES",
            description = "How long shard 0, when it is done, waits for the other shards. Default: 30",
            defaultValue = "30")
    private int endPatience;

    public Optional<Shard> shard() {
        var parsed = shard.map(text -> Shard.parse(text)
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--shard takes I/N with I from 0 to N-1, such as 0/3, not '" + text + "'")));
        if (parsed.isPresent() && runId.filter(id -> !id.isBlank()).isEmpty()) {
            throw new RunException(RunException.Kind.CONFIGURATION, "--shard needs --run-id");
        }
        return parsed;
    }

    /// The given id, or eight new random digits.
    public String runId() {
        return runId.map(id -> id.substring(id.lastIndexOf('-') + 1))
                .filter(id -> !id.isBlank())
                .orElseGet(Wiring::random);
    }

    public ShardedRun.Patience patience() {
        return new ShardedRun.Patience(Duration.ofMinutes(planPatience), Duration.ofMinutes(endPatience));
    }
}
