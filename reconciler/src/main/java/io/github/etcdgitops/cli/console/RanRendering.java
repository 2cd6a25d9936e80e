package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.pipeline.Reconciliation.Ran;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RunHistory;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.report.Sightings;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.DoneStep;
import io.github.etcdgitops.report.page.FleetPage;
import java.time.Instant;
import java.util.Optional;

/// A run in all its forms.
public record RanRendering(Ran ran, String commit, String runId, Instant seen) implements Rendering {
    @Override
    public Lines human(Style style) {
        var human = new Human(style);
        return ran.results().isEmpty()
                ? human.plan(ran.plan())
                : human.results(ran.results()).append(human.plan(ran.after()));
    }

    @Override
    public String json() {
        return RunJson.render(RunJson.Run.of(
                runId,
                commit,
                PlanJson.hash(ran.plan()),
                ExitCode.ofResults(ran.results(), false).title(),
                ran.results()));
    }

    @Override
    public String markdown() {
        return Markdown.whole(ran.after());
    }

    @Override
    public Optional<String> html() {
        var last = DoneStep.ofRun(Optional.of(json()));
        return Optional.of(new FleetPage(ran.after(), Sightings.NONE, RunHistory.NONE, last, seen).html());
    }
}
