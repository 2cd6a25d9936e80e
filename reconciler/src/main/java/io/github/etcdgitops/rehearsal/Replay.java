package io.github.etcdgitops.rehearsal;

import io.github.etcdgitops.policy.Hearing;
import io.github.etcdgitops.policy.Hearing.Outcome;
import io.github.etcdgitops.policy.Hearings;
import io.github.etcdgitops.report.ToldPlan;
import io.github.etcdgitops.spec.DesiredState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// What policies would have said of plans that were published: of operations that were let begin then, which would
/// have been stopped. Rules that look at more than a plan and its documents tell (backups, all rings together, what was
/// changed by hand) are not asked, and nobody's approval is.
///
/// `plans` were asked about, with `operations`; of `unknown` not enough was written down, or their documents are
/// gone.
public record Replay(int plans, int operations, int unknown, Optional<Instant> since, List<Stopped> stopped) {
    public Replay {
        stopped = List.copyOf(stopped);
    }

    /// One operation of a plan of that time, by the rule that stops it most.
    public record Stopped(Instant at, String ring, String kind, String id, Hearing by) {}

    /// A plan that was published at that time, of the documents of a commit.
    public record Published(Instant at, Optional<String> commit, String json) {}

    /// `desired` gives what a commit says, judged by the policies that are asked; empty where it is gone.
    public static Replay of(List<Published> published, Function<String, Optional<DesiredState>> desired) {
        var replaying = new Replaying(desired);
        published.forEach(replaying::add);
        return replaying.result();
    }

    /// How many operations each rule stops; those of one operation in several plans each.
    public Map<String, Integer> byRule() {
        var counts = new TreeMap<String, Integer>();
        stopped.forEach(s -> counts.merge(s.by().rule(), 1, Integer::sum));
        return counts;
    }

    /// In how many plans something is stopped.
    public long plansStopped() {
        return stopped.stream().map(Stopped::at).distinct().count();
    }

    private static final class Replaying {
        private final Function<String, Optional<DesiredState>> desired;
        private final Map<String, Optional<Hearings>> rules = new TreeMap<>();
        private final List<Stopped> stopped = new ArrayList<>();
        private int plans;
        private int operations;
        private int unknown;
        private Optional<Instant> since = Optional.empty();

        Replaying(Function<String, Optional<DesiredState>> desired) {
            this.desired = desired;
        }

        void add(Published published) {
            var told = ToldPlan.read(published.json());
            var heard = published
                    .commit()
                    .flatMap(commit -> rules.computeIfAbsent(
                            commit, id -> desired.apply(id).map(Hearings::of)));
            if (told.isEmpty() || heard.isEmpty()) {
                unknown++;
                return;
            }
            plans++;
            operations += told.get().operations().size();
            since = since.filter(published.at()::isAfter).or(() -> Optional.of(published.at()));
            told.get().operations().stream()
                    .filter(ToldPlan.Operation::lets)
                    .forEach(operation -> worst(heard.get(), operation, published.at())
                            .ifPresent(by -> stopped.add(new Stopped(
                                    published.at(),
                                    operation.proposal().ref().toString(),
                                    operation.proposal().kind(),
                                    operation.proposal().id(),
                                    by))));
        }

        private static Optional<Hearing> worst(Hearings heard, ToldPlan.Operation operation, Instant at) {
            return heard.of(operation.proposal(), at).stream()
                    .filter(h -> h.outcome().compareTo(Outcome.REQUIRE_APPROVAL) >= 0)
                    .max(Comparator.comparing(Hearing::outcome));
        }

        Replay result() {
            return new Replay(plans, operations, unknown, since, stopped);
        }
    }
}
