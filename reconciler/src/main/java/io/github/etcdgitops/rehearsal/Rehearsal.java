package io.github.etcdgitops.rehearsal;

import io.github.etcdgitops.document.PolicyTests;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.pipeline.Heard;
import io.github.etcdgitops.pipeline.Offline;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.PolicyTest.Case;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.Fleet;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Evaluates the policies of a repository on test cases. Each case is planned as a run would plan it, for
/// rings that match their documents: the same code evaluates the rules.
public final class Rehearsal {
    private static final DesiredState NOTHING = new DesiredState(
            Fleet.DEFAULT,
            new TreeMap<>(),
            new Decisions(List.of(), List.of()),
            Protection.NONE,
            new TreeSet<>(),
            List.of(),
            "");

    private final Path root;
    private final SourceTree rules;
    private final Fleet fleet;
    private final Function<Instant, Offline> planners;

    /// `rules` are those of the repository at `root`, with its `fleet`.
    public Rehearsal(Path root, SourceTree rules, Fleet fleet, Function<Instant, Offline> planners) {
        this.fleet = fleet;
        this.root = root;
        this.rules = rules;
        this.planners = planners;
    }

    /// The result of one case.
    public Played play(PolicyTests.Found found, Case asked) {
        String test = found.test().name();
        try {
            String environment = Environments.ofRun(found.test().environment(), fleet);
            return play(found, asked, environment);
        } catch (RunException e) {
            return new Played(test, asked, List.of(String.valueOf(e.getMessage())), List.of());
        }
    }

    private Played play(PolicyTests.Found found, Case asked, String environment) {
        String home = fleet.environment(environment).stream()
                .flatMap(e -> e.paths().stream())
                .findFirst()
                .orElse("clusters/");
        var before = PolicyTests.material(root, home, found.file(), asked.before());
        var after = PolicyTests.material(root, home, found.file(), asked.after());
        var was = asked.before().isEmpty() ? NOTHING : SpecLoader.load(PolicyTests.with(rules, before));
        var wanted = SpecLoader.load(PolicyTests.with(rules, after));
        var unread = Stream.concat(unread(was, before), unread(wanted, after))
                .distinct()
                .toList();
        if (!unread.isEmpty()) {
            return new Played(found.test().name(), asked, unread, List.of());
        }
        return played(
                found.test().name(),
                asked,
                planners.apply(asked.now()).hear(was, wanted, environment, asked.backedUp()));
    }

    private static Stream<String> unread(DesiredState desired, PolicyTests.Material material) {
        return desired.violations().stream().map(v -> material.title(v.at()) + ": " + v.message());
    }

    private static Played played(String test, Case asked, Heard heard) {
        var failures = asked.expected().stream()
                .map(expected -> new Expected(expected, heard).failure())
                .flatMap(Optional::stream)
                .toList();
        return new Played(test, asked, failures, heard.hearings());
    }
}
