package io.github.etcdgitops.trial.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.TlsTrial;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingHistory;
import io.github.etcdgitops.trial.watch.RingHistory.Moment;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;

/// One commit asks for everything: resources, TLS, two more members and a newer version, with a backup
/// before. What the plan said is held against what happened: the same steps in the same order, as many
/// restarts, and no more elections.
public final class CombinedTrial implements Trial {
    private static final String RING = "combined";

    @Override
    public String name() {
        return "combined";
    }

    /// An operation as it was planned, and as it went.
    private record Compared(
            String kind, String summary, Side planned, Side seen, String tolerance, List<String> differences) {
        /// `elections` are at most so many, on the plan's side.
        record Side(int steps, int restarts, int elections) {}

        String row() {
            return "| " + kind + ": " + summary + " | " + planned.steps() + " / " + seen.steps() + " | "
                    + planned.restarts() + " / " + seen.restarts() + " | " + planned.elections() + " / "
                    + seen.elections() + " | " + tolerance + " |";
        }
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var place = BackupPlace.directory("before", bench.folder().resolve("backups"));
        bench.git()
                .commit(
                        "Backups before changes",
                        Map.of("policies/before.yaml", place.document(bench.namespace(), "  beforeChange: 1h\n")));
        UpgradesTrial.commit(bench, RING, 3, bench.options().before(), "");
        bench.converge(RING, 3);
        var watch = new RingWatch(bench, RING, true);
        var secured = new AtomicBoolean();
        var look = Executors.newSingleThreadScheduledExecutor();
        look.scheduleWithFixedDelay(() -> secured.compareAndSet(false, servesTls(bench)), 1, 1, TimeUnit.SECONDS);
        var load = bench.load(RING, secured::get);
        try (var history = new RingHistory(bench, RING)) {
            commit(bench);
            var plan = bench.tool().planned("-o", "json").stdout();
            var markdown = bench.tool().planned("-o", "markdown").stdout();
            var run = bench.tool().demand(0, "reconcile");
            var compared = compared(Plans.ring(plan, bench.namespace(), RING), run, history.moments());
            var page = bench.folder().resolve("combined.md");
            Files.writeString(page, markdown + "\n" + page(compared));
            figures.put("page", page.toString());
            figures.put("table", compared.stream().map(Compared::row).toList());
            compared.forEach(c -> TrialFailure.unless(c.differences().isEmpty(), c.kind() + ": " + c.differences()));
        } finally {
            look.shutdownNow();
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members of " + RING, 5, LiveRing.demandAlike(bench, RING));
        Doors.demandWays(bench, RING, TlsTrial.MUTUAL);
        figures.put("backups", place.backups());
        TrialFailure.unless(place.backups() > 0, "no backup was taken before");
    }

    /// No, where a member is away and nobody answers in its place.
    private static boolean servesTls(Bench bench) {
        try {
            return bench.tls(RING).client().isPresent()
                    && Doors.ways(bench, RING).stream().allMatch(ways -> ways.contains("2379 TLS"));
        } catch (RuntimeException _) {
            return false;
        }
    }

    private static void commit(Bench bench) throws Exception {
        var document = new String(
                        bench.document(RING, 5, bench.options().newest(), TlsTrial.BOTH_MUTUAL), StandardCharsets.UTF_8)
                .replace("cpu: 10m", "cpu: 20m");
        bench.git()
                .commit("Everything", Map.of("clusters/" + RING + ".yaml", document.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Compared> compared(JsonNode ring, Run run, List<Moment> moments) {
        var done = new ArrayList<>(run.steps());
        var compared = new ArrayList<Compared>();
        for (var operation : (Iterable<JsonNode>) ring.path("operations")::elements) {
            String id = operation.path("id").asText();
            var steps = done.stream()
                    .filter(s -> s.path("operationId").asText().equals(id))
                    .toList();
            compared.add(compared(operation, steps, moments));
            done.removeAll(steps);
        }
        TrialFailure.unless(done.isEmpty(), "steps that no plan had: " + done);
        return compared;
    }

    private static Compared compared(JsonNode operation, List<JsonNode> done, List<Moment> moments) {
        var planned = names(StreamSupport.stream(operation.path("steps").spliterator(), false)
                .toList());
        var seen = names(done);
        var differences = new ArrayList<String>();
        if (!planned.equals(seen)) {
            differences.add("planned " + planned + ", done " + seen);
        }
        var began = time(done.getFirst());
        var ended =
                time(done.getLast()).plusMillis(done.getLast().path("millis").asLong());
        var during = moments.stream()
                .filter(m -> !m.at().isBefore(began) && m.at().isBefore(ended))
                .toList();
        int restarts = (int) planned.stream().filter("RestartMember"::equals).count();
        int elections = (int) StreamSupport.stream(operation.path("steps").spliterator(), false)
                .filter(s -> !s.path("elections").asText().isEmpty())
                .count();
        int restarted = (int) during.stream().filter(m -> !m.election()).count();
        int elected = (int) during.stream().filter(Moment::election).count();
        if (restarts != restarted) {
            differences.add(restarts + " restarts were planned, and there were " + restarted);
        }
        if (elected > elections || (restarts > 0 && elected == 0)) {
            differences.add(elections + " elections were planned, and there were " + elected);
        }
        var quorum = operation.path("quorum");
        return new Compared(
                operation.path("kind").asText(),
                operation.path("summary").asText(),
                new Compared.Side(planned.size(), restarts, elections),
                new Compared.Side(seen.size(), restarted, elected),
                tolerance(quorum, "before") + " → " + tolerance(quorum, "worst") + " → " + tolerance(quorum, "after"),
                differences);
    }

    private static String tolerance(JsonNode quorum, String when) {
        return quorum.path(when).path("tolerance").asText();
    }

    private static Instant time(JsonNode step) {
        return Instant.parse(step.path("time").asText());
    }

    private static List<String> names(List<JsonNode> steps) {
        return steps.stream().map(s -> s.path("step").asText()).toList();
    }

    private static String page(List<Compared> compared) {
        var page = new StringBuilder("# What happened beside it\n\n"
                + "Each figure as planned / as it was. Of two elections, one is left out where the member that"
                + " goes last leads already.\n\n"
                + "| operation | steps | restarts | elections | tolerance before → worst → after |\n"
                + "|---|---|---|---|---|\n");
        compared.forEach(c -> page.append(c.row()).append('\n'));
        return page.toString();
    }
}
