package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.FleetPage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Defect;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Renders a plan in all its forms before a run acts on it. A ring that cannot be rendered is not changed,
/// and does not block the report of the others.
final class ReportView {
    private ReportView() {}

    static FleetPlan tried(FleetPlan plan, Instant now) {
        return tried(plan, shown -> everyForm(shown, now));
    }

    private static void everyForm(FleetPlan plan, Instant now) {
        PlanJson.render(plan, _ -> {});
        Markdown.whole(plan, _ -> {});
        FleetPage.of(plan, now).html(_ -> {});
        new Human(Style.PLAIN).plan(plan);
    }

    /// The rings are tried one by one only where all of them together fail.
    static FleetPlan tried(FleetPlan plan, Consumer<FleetPlan> forms) {
        return Defect.contain(
                () -> {
                    forms.accept(plan);
                    return plan;
                },
                _ -> oneByOne(plan, forms));
    }

    private static FleetPlan oneByOne(FleetPlan plan, Consumer<FleetPlan> forms) {
        var broken = new TreeSet<ClusterRef>();
        var rings = plan.clusters().stream()
                .map(ring -> Defect.contain(
                        () -> {
                            forms.accept(alone(plan, ring));
                            return ring;
                        },
                        defect -> {
                            broken.add(ring.ref());
                            return ClusterPlan.failed(ring.ref(), defect);
                        }))
                .toList();
        var known = new TreeMap<>(plan.beside().rings());
        known.keySet().removeAll(broken);
        return plan.with(rings).with(new FleetPlan.Beside(known, plan.findings(), plan.tempo()));
    }

    private static FleetPlan alone(FleetPlan plan, ClusterPlan ring) {
        return new FleetPlan(
                plan.environment(), plan.specDigest(), plan.tool(), List.of(ring), List.of(), plan.beside());
    }
}
