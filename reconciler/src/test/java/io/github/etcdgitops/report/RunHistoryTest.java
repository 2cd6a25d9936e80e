package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunHistoryTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    private static RunJson.Run run(String id) {
        return new RunJson.Run(
                id,
                "c0ffee",
                "sha256:1",
                "ok",
                List.of(
                        new RingRun("demo/a", Outcome.DONE, "", List.of()),
                        new RingRun("demo/b", Outcome.HELD, "why", List.of()),
                        new RingRun("demo/c", Outcome.NOTHING, "", List.of()),
                        new RingRun("demo/d", Outcome.DONE, "", List.of())));
    }

    @Test
    void listsNewestRunFirstWithOutcomeCounts() {
        var history = RunHistory.NONE.and(run("first"), NOW).and(run("second"), NOW.plusSeconds(60));

        assertThat(history.runs()).extracting(RunHistory.Entry::id).containsExactly("second", "first");
        assertThat(history.runs().getFirst().came()).isEqualTo("2 done, 1 held");
        assertThat(RunHistory.read(Optional.of(history.json()))).isEqualTo(history);
    }

    @Test
    void runReportedTwiceIsListedOnce() {
        assertThat(RunHistory.NONE.and(run("r"), NOW).and(run("r"), NOW).runs()).hasSize(1);
    }

    @Test
    void listsKilledRunThatLeftOperationUnderWay() {
        var begun = new ChangeHistory.Begun("gone", "ScaleOut", "0123456789abcdef", 5);
        var beside = new FleetPlan.Beside(
                new TreeMap<>(Map.of(
                        new ClusterRef("demo", "orders"),
                        new RingFacts(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(begun),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))),
                List.of());
        var plan = new FleetPlan("prod", "sha256:0", "tool 1", List.of(), List.of(), beside);
        var known = RunHistory.NONE.and(run("before"), NOW);

        var seen = known.withKilled(plan, "now", NOW.plusSeconds(60));

        assertThat(seen.runs()).extracting(RunHistory.Entry::id).containsExactly("gone", "before");
        assertThat(seen.runs().getFirst().exit()).isEqualTo("killed");
        assertThat(seen.runs().getFirst().came()).contains("run gone left ScaleOut of demo/orders under way");
        assertThat(RunHistory.read(Optional.of(seen.json()))).isEqualTo(seen);
        assertThat(seen.withKilled(plan, "now", NOW.plusSeconds(120))).isEqualTo(seen);
        assertThat(known.withKilled(plan, "gone", NOW)).isEqualTo(known);
        assertThat(Markdown.fleet(plan, "", FindingAges.NONE, seen)).contains("| killed | run gone left ScaleOut");
    }

    @Test
    void fiftyAreKept() {
        var history = RunHistory.NONE;
        for (int i = 0; i < 60; i++) {
            history = history.and(run("r" + i), NOW.plusSeconds(i));
        }

        assertThat(history.runs()).hasSize(50);
        assertThat(history.runs().getFirst().id()).isEqualTo("r59");
    }

    @Test
    void fleetPageShowsLastTenRuns() {
        var plan = new FleetPlan("prod", "sha256:0", "tool 1", List.of(), List.of());
        var history = RunHistory.NONE;
        for (int i = 0; i < 12; i++) {
            history = history.and(run("r" + i), NOW.plusSeconds(60L * i));
        }

        String page = Markdown.fleet(plan, "", FindingAges.NONE, history);

        assertThat(page)
                .contains("## The last runs", "| 2026-01-02 03:15 UTC | `c0ffee` | ok | 2 done, 1 held |")
                .contains("and 2 more in `latest/history.json`")
                .doesNotContain("03:04 UTC");
        assertThat(page.indexOf("## The last runs")).isLessThan(page.indexOf("<sub>"));
        assertThat(Markdown.fleet(plan, "", FindingAges.NONE, RunHistory.NONE)).doesNotContain("The last runs");
    }

    @Test
    void unreadableHistoryIsDropped() {
        assertThat(RunHistory.read(Optional.empty())).isEqualTo(RunHistory.NONE);
        assertThat(RunHistory.read(Optional.of("{"))).isEqualTo(RunHistory.NONE);
        assertThat(RunHistory.read(Optional.of("{\"runs\":[{\"ended\":\"yesterday\"}]}")))
                .isEqualTo(RunHistory.NONE);
    }
}
