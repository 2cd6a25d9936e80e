package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.report.FindingAges;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.RunHistory;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.DoneStep;
import io.github.etcdgitops.report.page.FleetPage;
import java.time.Instant;
import java.util.Optional;

/// A run in all its forms.
public record RanRendering(Ran ran, Instant seen) implements Rendering {
    @Override
    public Lines human(Style style) {
        var human = new Human(style);
        return ran.results().isEmpty()
                ? human.plan(ran.plan())
                : human.results(ran.results()).append(human.plan(ran.after()));
    }

    @Override
    public String json() {
        var exit = ExitCode.ofResults(ran.results(), false).title();
        var rings = ran.results().stream().map(RingRun::of).toList();
        return RunJson.render(ran.context().ended(ran.plan(), exit, rings));
    }

    @Override
    public String markdown() {
        return Markdown.whole(ran.after());
    }

    @Override
    public Optional<String> html() {
        var last = DoneStep.ofRun(Optional.of(json()));
        return Optional.of(new FleetPage(ran.after(), FindingAges.NONE, RunHistory.NONE, last, seen).html());
    }
}
