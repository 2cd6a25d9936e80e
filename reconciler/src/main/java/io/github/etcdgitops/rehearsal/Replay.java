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

/// What policies would have answered for published plans: which operations that were allowed then would
/// have been stopped. Rules that need more than a plan and its documents (backups, all rings together,
/// manual drift) are not evaluated, and neither are approvals.
///
/// `plans` were evaluated, with `operations`; for `unknown` plans too little was recorded, or their
/// documents are gone.
public record Replay(int plans, int operations, int unknown, Optional<Instant> since, List<Stopped> stopped) {
    public Replay {
        stopped = List.copyOf(stopped);
    }

    /// One operation of a plan of that time, with the strictest rule that stops it.
    public record Stopped(Instant at, String ring, String kind, String id, Hearing by) {}

    /// A plan that was published at that time, from the documents of a commit.
    public record Published(Instant at, Optional<String> commit, String json) {}

    /// `desired` gives the contents of a commit, judged by the evaluated policies; empty where the commit
    /// is gone.
    public static Replay of(List<Published> published, Function<String, Optional<DesiredState>> desired) {
        var replaying = new Replaying(desired);
        published.forEach(replaying::add);
        return replaying.result();
    }

    /// How many operations each rule stops; an operation in several plans counts once for each plan.
    public Map<String, Integer> byRule() {
        var counts = new TreeMap<String, Integer>();
        stopped.forEach(s -> counts.merge(s.by().rule(), 1, Integer::sum));
        return counts;
    }

    /// The number of plans in which a rule stops something.
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
