package io.github.etcdgitops.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Attacks by people who share a fleet: a contributor with merge rights to one folder, a fork, the admin of one
/// namespace, and servers that are asked. Each is stopped by its fence, and the other rings are reconciled in the same
/// run.
final class FencesTrial implements Trial {
    @Override
    public String name() {
        return "fences";
    }

    /// In the order in which they are tried.
    private static List<Attack> attacks() {
        return Stream.of(ContributorAttacks.all(), DocumentAttacks.all(), TreeAttacks.all(), ObjectAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var place = BackupPlace.directory("nightly", bench.folder().resolve("backups"));
        try (var snare = new Snare()) {
            var arena = new FenceArena(bench, snare, place);
            arena.open();
            var told = new ArrayList<Map<String, String>>();
            var through = new TreeMap<String, String>();
            for (var attack : attacks()) {
                try {
                    arena.withstand(attack);
                    told.add(Map.of(
                            "party", attack.party().name(),
                            "attack", attack.name(),
                            "stopped by", String.join(", ", attack.stops())));
                    System.out.println("  stopped  " + attack.party() + ": " + attack.name());
                } catch (TrialFailure e) {
                    through.put(attack.name(), String.valueOf(e.getMessage()));
                    System.out.println("  THROUGH  " + attack.party() + ": " + attack.name());
                }
            }
            figures.put("attacks", attacks().size());
            figures.put("stopped", told.size());
            figures.put("list", told);
            TrialFailure.unless(through.isEmpty(), through.size() + " attacks got through:\n" + through);
        }
    }
}
