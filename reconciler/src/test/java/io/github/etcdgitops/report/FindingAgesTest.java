package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingAgesTest {
    private static final ClusterRef RING = new ClusterRef("demo", "orders");
    private static final Instant MONDAY = Instant.parse("2026-11-16T08:00:00Z");
    private static final Instant TUESDAY = Instant.parse("2026-11-17T08:00:00.123Z");
    private static final Finding LEARNER =
            new Finding(Level.ERROR, FindingCode.FOREIGN_LEARNER, "orders-3 is a learner");

    private static FleetPlan plan(Finding... findings) {
        return fleet(ClusterPlan.rejected(RING, List.of(findings)));
    }

    private static FleetPlan fleet(ClusterPlan... rings) {
        return new FleetPlan("production", "sha256:0123456789abcdef", "test", List.of(rings), List.of());
    }

    private static FindingAges monday(FleetPlan plan) {
        return FindingAges.of(plan, Optional.empty(), MONDAY);
    }

    @Test
    void keepsAgeAndBytesOfLastingFinding() {
        var first = monday(plan(LEARNER));

        var second = FindingAges.of(plan(LEARNER), Optional.of(first.json()), TUESDAY);

        assertThat(second.since(RING, LEARNER)).contains(MONDAY);
        assertThat(second.json()).isEqualTo(first.json());
    }

    @Test
    void newFindingStartsNowInWholeSeconds() {
        var other =
                new Finding(Level.WARNING, FindingCode.VOLUME_LOST, "the volume of the claim data-orders-1 is lost");

        var second = FindingAges.of(
                plan(LEARNER, other), Optional.of(monday(plan(LEARNER)).json()), TUESDAY);

        assertThat(second.since(RING, LEARNER)).contains(MONDAY);
        assertThat(second.since(RING, other)).contains(Instant.parse("2026-11-17T08:00:00Z"));
    }

    @Test
    void anotherNumberInTheMessageMakesItNoOtherFinding() {
        var before = new Finding(Level.WARNING, FindingCode.BACKUP_TOO_OLD, "the newest is 3 hours old");
        var after = new Finding(Level.WARNING, FindingCode.BACKUP_TOO_OLD, "the newest is 4 hours old");

        var second =
                FindingAges.of(plan(after), Optional.of(monday(plan(before)).json()), TUESDAY);

        assertThat(second.since(RING, after)).contains(MONDAY);
    }

    @Test
    void twoOfOneCodeKeepEachItsOwnAge() {
        var first = new Finding(Level.WARNING, FindingCode.VOLUME_LOST, "of data-orders-0");
        var second = new Finding(Level.WARNING, FindingCode.VOLUME_LOST, "of data-orders-1");

        var seen = FindingAges.of(
                plan(first, second), Optional.of(monday(plan(second)).json()), TUESDAY);

        assertThat(seen.since(RING, second)).contains(MONDAY);
        assertThat(seen.since(RING, first)).contains(Instant.parse("2026-11-17T08:00:00Z"));
    }

    @Test
    void returningFindingStartsAgain() {
        var gone = FindingAges.of(plan(), Optional.of(monday(plan(LEARNER)).json()), MONDAY);

        var back = FindingAges.of(plan(LEARNER), Optional.of(gone.json()), TUESDAY);

        assertThat(back.since(RING, LEARNER)).contains(Instant.parse("2026-11-17T08:00:00Z"));
    }

    @Test
    void keepsAgesOfUnreadableRing() {
        var unread = fleet(new ClusterPlan(
                RING,
                ClusterPlan.Situation.UNKNOWN,
                new Quorum(0, 0),
                List.of(),
                List.of(),
                List.of(new Finding(Level.ERROR, FindingCode.UNKNOWN, "the API server did not answer")),
                new TreeMap<>()));
        var unknown = FindingAges.of(unread, Optional.of(monday(plan(LEARNER)).json()), TUESDAY);

        var back = FindingAges.of(plan(LEARNER), Optional.of(unknown.json()), TUESDAY);

        assertThat(back.since(RING, LEARNER)).contains(MONDAY);
    }

    @Test
    void anotherRingsFindingIsAnother() {
        var other = ClusterPlan.rejected(new ClusterRef("demo", "users"), List.of(LEARNER));

        var seen =
                FindingAges.of(fleet(other), Optional.of(monday(plan(LEARNER)).json()), TUESDAY);

        assertThat(seen.oldestFirst())
                .singleElement()
                .satisfies(s -> assertThat(s.since()).isEqualTo(Instant.parse("2026-11-17T08:00:00Z")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{\"findings\": 7}",
                "{\"findings\": [7]}",
                "{\"findings\": [{\"cluster\": \"demo/orders\", \"level\": \"grave\", \"since\":"
                        + " \"2026-11-16T08:00:00Z\"}]}",
                "{\"findings\": [{\"cluster\": \"demo/orders\", \"level\": \"error\", \"since\": \"yesterday\"}]}",
            })
    void unreadableFileLosesOnlyAges(String file) {
        var seen = FindingAges.of(plan(LEARNER), Optional.of(file), MONDAY);

        assertThat(seen.since(RING, LEARNER)).contains(MONDAY);
    }

    @Test
    void pagesSaySinceWhen() {
        var plan = plan(LEARNER);
        var seen = monday(plan);

        assertThat(Markdown.cluster(plan.clusters().getFirst(), seen))
                .contains("`foreign-learner`: orders-3 is a learner (since 2026-11-16 08:00 UTC)\n");
        assertThat(Markdown.fleet(plan, "", seen, RunHistory.NONE))
                .contains("| 2026-11-16 08:00 UTC | demo/orders | **error** `foreign-learner`: orders-3 is a learner"
                        + " |\n");
    }

    @Test
    void fleetPageListsTwentyFindingsAndCountsTheRest() {
        var findings = new Finding[25];
        for (int i = 0; i < findings.length; i++) {
            findings[i] = Finding.ofRule(Level.ERROR, "code-" + i, "message " + i);
        }

        String page = Markdown.fleet(plan(findings), "", monday(plan(findings)), RunHistory.NONE);

        assertThat(page.lines().filter(line -> line.startsWith("| 2026-11-16"))).hasSize(20);
        assertThat(page).contains("and 5 more in `latest/findings.json`.\n");
    }

    @Test
    void listsNoNotesAmongOpenFindings() {
        var note = new Finding(Level.NOTE, FindingCode.ONE_AT_A_TIME, "later");

        assertThat(Markdown.fleet(plan(note), "", monday(plan(note)), RunHistory.NONE))
                .doesNotContain("## Findings");
    }
}
