package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// What a policy's schedule asks for: over both changes of the clock, after days on which no run was there, beside a
/// suspension, and of a process that stays.
public final class SchedulesTrial implements Trial {
    private static final String RING = "schedules";
    private static final String NIGHTLY = "  schedule: {cron: \"30 2 * * *\", timeZone: Europe/Vienna}\n";
    private static final Duration HALF_A_DAY = Duration.ofHours(12);
    private static final Duration DAYS = Duration.ofDays(3).plusHours(13);
    private static final Duration PATIENCE = Duration.ofMinutes(6);
    private static final int BY_THE_MINUTE = 3;

    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var place = BackupPlace.directory("timed", bench.folder().resolve("backups"));
        var stage = new Stage(bench, new BackupCommands(bench), place);
        bench.bringTo(RING, 1);
        stage.schedule(NIGHTLY);
        stage.takes(1);
        figures.timed("clockChanges", () -> clockChanges(stage));
        stage.schedule(daily());
        figures.timed("missed", () -> missed(stage));
        figures.timed("suspended", () -> suspended(stage));
        figures.timed("byTheMinute", () -> byTheMinute(stage, figures));
    }

    private record Stage(Bench bench, BackupCommands commands, BackupPlace place) {
        void schedule(String schedule) throws Exception {
            bench.git()
                    .commit(
                            "Backups:" + schedule.strip(),
                            Map.of("policies/timed.yaml", place.document(bench.namespace(), schedule)));
        }

        int backups() {
            try {
                return place.backups();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// This run takes so many, and the one after it none.
        void takes(int wanted) throws IOException {
            int before = backups();
            bench.tool().demand(0, "reconcile");
            TrialFailure.unlessSame("backups after a run", before + wanted, backups());
            bench.tool().demand(0, "reconcile");
            TrialFailure.unlessSame("backups after the run after it", before + wanted, backups());
        }

        Backup newest() throws IOException {
            return commands.newest(place, RING);
        }

        /// As if it had been begun then.
        void newestIsOf(Instant time) throws IOException {
            var newest = newest();
            place.moved(newest, Duration.between(time, Instant.parse(newest.taken())));
        }

        JsonNode ring(String... more) throws IOException {
            return Plans.ring(bench.tool().planned(more).stdout(), bench.namespace(), RING);
        }
    }

    /// When the last backup was begun, the time of the plan, and since when it has to show one as due, if it has to.
    private record Asked(String newest, String now, String since) {}

    /// 02:30 in Vienna: leapt over in the night to 29 March 2026, at 01:00 UTC, and shown twice in that to 25 October,
    /// at 00:30 and 01:30 UTC.
    private static void clockChanges(Stage stage) throws Exception {
        for (var asked : List.of(
                new Asked("2026-03-28T01:30:05Z", "2026-03-29T00:59:59Z", ""),
                new Asked("2026-03-28T01:30:05Z", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z"),
                new Asked("2026-03-29T01:00:05Z", "2026-03-30T00:29:59Z", ""),
                new Asked("2026-03-29T01:00:05Z", "2026-03-30T00:30:00Z", "2026-03-30T00:30:00Z"),
                new Asked("2026-10-24T00:30:05Z", "2026-10-25T00:29:59Z", ""),
                new Asked("2026-10-24T00:30:05Z", "2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z"),
                new Asked("2026-10-25T00:30:05Z", "2026-10-25T01:30:00Z", ""),
                new Asked("2026-10-25T00:30:05Z", "2026-10-26T01:29:59Z", ""),
                new Asked("2026-10-25T00:30:05Z", "2026-10-26T01:30:00Z", "2026-10-26T01:30:00Z"))) {
            if (!stage.newest().taken().startsWith(asked.newest().substring(0, "2026-03-28T01:30:05".length()))) {
                stage.newestIsOf(Instant.parse(asked.newest()));
            }
            var due = Plans.operations(stage.ring("--now", asked.now(), "-o", "json"), "TakeBackup").stream()
                    .map(o -> o.path("reason").asText())
                    .toList();
            var wanted = asked.since().isEmpty()
                    ? List.<String>of()
                    : List.of("the schedule asked for one at " + asked.since());
            TrialFailure.unlessSame("what is due by " + asked, wanted, due);
        }
    }

    /// Its time is half a day away, and so is the one before it: nothing falls due while the trial runs.
    private static String daily() {
        var time = Instant.now().plus(HALF_A_DAY).atZone(ZoneOffset.UTC);
        return "  schedule: {cron: \"" + time.getMinute() + " " + time.getHour() + " * * *\"}\n";
    }

    private static void missed(Stage stage) throws Exception {
        stage.newestIsOf(Instant.now().minus(DAYS));
        stage.takes(1);
    }

    private static void suspended(Stage stage) throws Exception {
        stage.newestIsOf(Instant.now().minus(DAYS.plusHours(1)));
        var bench = stage.bench();
        String suspended = new String(bench.document(RING, 1), StandardCharsets.UTF_8)
                + "  suspend: {reason: a holiday, by: the trial}\n";
        bench.git()
                .commit(
                        "Suspend " + RING,
                        Map.of("clusters/" + RING + ".yaml", suspended.getBytes(StandardCharsets.UTF_8)));
        stage.takes(0);
        TrialFailure.unlessSame(
                "the situation",
                "suspended",
                stage.ring("-o", "json").path("situation").asText());
        bench.ring(RING, 1);
        stage.takes(1);
    }

    /// Its own crontab names no time for weeks: what wakes it is the policy's.
    private static void byTheMinute(Stage stage, Figures figures) throws Exception {
        stage.schedule("  schedule: {cron: \"* * * * *\"}\n");
        int before = stage.backups();
        var run = stage.bench()
                .tool()
                .start("serve", "--schedule", "@yearly", "--run-at-start", "--listen", "127.0.0.1:0");
        try {
            EtcdProcess.await(
                    "a backup a minute", PATIENCE, () -> !run.isAlive() || stage.backups() >= before + BY_THE_MINUTE);
            run.process().destroy();
            TrialFailure.unlessSame("the exit of serve, asked to end by SIGTERM", 143, run.exit());
        } finally {
            run.process().destroyForcibly();
        }
        var taken = stage.commands().list(stage.place()).stream()
                .map(backup -> Instant.parse(backup.taken()))
                .skip(before)
                .toList();
        figures.put("takenByTheMinute", taken.size());
        TrialFailure.unless(
                taken.stream()
                                .map(time -> time.truncatedTo(ChronoUnit.MINUTES))
                                .distinct()
                                .count()
                        == taken.size(),
                "two in one minute: " + taken);
    }
}
