package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Ends runs at the beginning and at the end of each step that a ring's plans have, once at each. The run after it
/// carries on: where it does steps again, it is not ended there a second time.
public final class EveryBoundary {
    private static final int ENOUGH = 400;
    private static final int UNKNOWN = 75;

    /// With `--quick`, only at the ends of these.
    private static final Set<String> QUICK = Set.of("AnnounceDowngrade", "RestartMember", "PinPartition");

    private final Bench bench;
    private final String ring;
    private final Cuts cuts;
    private final Set<String> seen = new HashSet<>();
    private int other;

    public EveryBoundary(Bench bench, String ring) {
        this.bench = bench;
        this.ring = ring;
        this.cuts = new Cuts(bench);
    }

    /// `kind` is as the process says it. `key` is the same in each plan that has this step, and differs from that
    /// of the same step elsewhere in the plan.
    private record Boundary(int number, String key, String kind, String step, boolean after) {
        boolean isAt(String reached) {
            return reached.endsWith(" " + kind + "/" + step + (after ? "/after" : "/before"));
        }
    }

    /// Until it is done and the plan is empty. Returns at how many boundaries a run was ended.
    public int until(BooleanSupplier done) throws Exception {
        int ended = 0;
        for (int run = 0; run < ENOUGH; run++) {
            var planned = planned();
            if (planned.isEmpty() && done.getAsBoolean()) {
                return ended;
            }
            var next = planned.stream().filter(this::isDue).findFirst();
            if (next.isPresent()) {
                ended += endedAt(next.get()) ? 1 : 0;
            } else if (!planned.isEmpty()) {
                bench.tool().start("reconcile").exit();
            }
        }
        throw new TrialFailure("after " + ENOUGH + " runs there is still something to do");
    }

    private boolean endedAt(Boundary next) throws Exception {
        var reached = cuts.cut(next.number());
        reached.ifPresent(where -> {
            seen.add(next.key());
            cuts.where().add(where);
            other += next.isAt(where) ? 0 : 1;
        });
        return reached.isPresent();
    }

    /// Where a run was ended at another step than the plan said.
    public int elsewhere() {
        return other;
    }

    public List<String> where() {
        return cuts.where();
    }

    private boolean isDue(Boundary boundary) {
        var options = bench.options();
        boolean chosen = options.quick()
                ? boundary.after() && QUICK.contains(boundary.step())
                : boundary.number() % options.every() == 0;
        return chosen && !seen.contains(boundary.key());
    }

    private List<Boundary> planned() throws Exception {
        var plan = bench.tool().start("plan", "-o", "json");
        // The ring is unknown for a moment while a member restarts.
        for (int again = 0; plan.exit() == UNKNOWN && again < ENOUGH; again++) {
            plan = bench.tool().start("plan", "-o", "json");
        }
        var found = new ArrayList<Boundary>();
        for (JsonNode operation :
                Plans.ring(plan.stdout(), bench.namespace(), ring).path("operations")) {
            String kind = operation.path("kind").asText();
            var steps = new ArrayList<JsonNode>();
            operation.path("steps").forEach(steps::add);
            // Counted from the end: the plan of a run that carries on lacks the beginning.
            var still = new HashMap<String, Integer>();
            var keys = new ArrayList<String>();
            for (var step : steps.reversed()) {
                String action = step.path("action").asText();
                keys.addFirst(kind + " " + operation.path("target").asText() + " " + action + " "
                        + still.merge(action, 1, Integer::sum));
            }
            for (int i = 0; i < steps.size(); i++) {
                String step = steps.get(i).path("step").asText();
                found.add(new Boundary(found.size() + 1, keys.get(i) + " before", kind, step, false));
                found.add(new Boundary(found.size() + 1, keys.get(i) + " after", kind, step, true));
            }
        }
        return found;
    }
}
