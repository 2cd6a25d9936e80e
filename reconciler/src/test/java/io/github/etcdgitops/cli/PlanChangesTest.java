package io.github.etcdgitops.cli;

import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.cli.run.PlanChanges;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanChangesTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static FleetPlan plan(FakeWorld world, int size, String digest) {
        return new FleetPlan(
                "production",
                digest,
                "etcd-gitops test",
                List.of(Planner.plan(spec(size), fresh(world, spec(size)), BackupNeeds.NONE, NOW)),
                List.of());
    }

    private static FakeWorld green() {
        return Given.ring("demo", "orders").build();
    }

    private static JsonNode saved(FleetPlan plan) throws JsonProcessingException {
        return new ObjectMapper().readTree(PlanJson.render(plan));
    }

    @Test
    void namesTheFactsThatChanged() throws JsonProcessingException {
        var saved = saved(plan(green(), 5, "sha256:a"));
        var scaled = Given.ring("demo", "orders").scaledByHand(4).build();

        assertThat(PlanChanges.describe(saved, plan(scaled, 5, "sha256:a")))
                .contains("demo/orders statefulSet/replicas was 3, is 4");
    }

    @Test
    void namesDocumentsThatChanged() throws JsonProcessingException {
        var saved = saved(plan(green(), 5, "sha256:a"));

        assertThat(PlanChanges.describe(saved, plan(green(), 5, "sha256:b")))
                .contains("specDigest was sha256:a, is sha256:b");
    }

    @Test
    void saysWhenOnlyThePlanWouldBeAnother() throws JsonProcessingException {
        var saved = saved(plan(green(), 5, "sha256:a"));

        assertThat(PlanChanges.describe(saved, plan(green(), 3, "sha256:a")))
                .contains("would be planned otherwise (situation changes, now in sync)");
    }

    @Test
    void saysWhenTheFileWasEdited() throws JsonProcessingException {
        var plan = plan(green(), 5, "sha256:a");

        assertThat(PlanChanges.describe(saved(plan), plan)).isEqualTo("the plan itself was edited");
    }
}
