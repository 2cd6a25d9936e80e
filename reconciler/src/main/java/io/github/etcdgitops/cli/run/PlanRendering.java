package io.github.etcdgitops.cli.run;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Checks;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.FleetPage;
import io.github.etcdgitops.spec.DesiredState;
import java.time.Instant;
import java.util.Optional;

/// A plan in all its forms; as Markdown with every ring's page below the table.
public record PlanRendering(FleetPlan plan, DesiredState desired, Instant seen) implements Rendering {
    @Override
    public Lines human(Style style) {
        return new Human(style).plan(plan);
    }

    @Override
    public String json() {
        return PlanJson.render(plan);
    }

    @Override
    public String markdown() {
        return Markdown.whole(plan);
    }

    @Override
    public Optional<String> html() {
        return Optional.of(FleetPage.of(plan, seen).html());
    }

    @Override
    public Optional<Checks> checks() {
        return Optional.of(Checks.ofPlan(plan, desired));
    }
}
