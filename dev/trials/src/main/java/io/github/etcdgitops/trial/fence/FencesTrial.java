package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Attacks by people who share a fleet: a contributor with merge rights to one folder, a fork, the admin of one
/// namespace, and servers that are asked. Each is stopped by its fence, and the other rings are reconciled in the same
/// run.
public final class FencesTrial implements Trial {
    private static final int TURNS = 3;

    @Override
    public String name() {
        return "fences";
    }

    /// In the order in which they are tried. `--quick` takes the ones of one day in three, so that each has its turn.
    private static List<Attack> attacks(Bench bench) {
        var all = all();
        if (!bench.options().quick()) {
            return all;
        }
        int turn = (int) (LocalDate.now(ZoneOffset.UTC).toEpochDay() % TURNS);
        return IntStream.range(0, all.size())
                .filter(i -> i % TURNS == turn)
                .mapToObj(all::get)
                .toList();
    }

    private static List<Attack> all() {
        return Stream.of(
                        ContributorAttacks.all(),
                        DocumentAttacks.all(),
                        RuleAttacks.all(),
                        TreeAttacks.all(),
                        ForkAttacks.all(),
                        ObjectAttacks.all(),
                        ServerAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var attacks = attacks(bench);
        try (var snare = new Snare();
                var server = new HostileServer();
                var arena = new FenceArena(bench, snare, server)) {
            arena.open();
            var stopped = new ArrayList<Map<String, String>>();
            var through = new TreeMap<String, String>();
            for (var attack : attacks) {
                try {
                    arena.withstand(attack);
                    stopped.add(Map.of(
                            "party", attack.party().name(), "attack", attack.name(), "stopped by", attack.fence()));
                    System.out.println("  stopped  " + attack.party() + ": " + attack.name() + "  " + attack.fence());
                } catch (TrialFailure e) {
                    through.put(attack.name(), String.valueOf(e.getMessage()));
                    System.out.println("  THROUGH  " + attack.party() + ": " + attack.name());
                }
            }
            figures.put("attacks", attacks.size());
            figures.put("stopped", stopped.size());
            figures.put("list", stopped);
            TrialFailure.unless(through.isEmpty(), through.size() + " attacks got through:\n" + through);
        }
    }
}
