package io.github.etcdgitops.trial;

import java.util.ArrayList;
import java.util.List;

/// The command line of the trials.
record TrialOptions(
        List<String> names,
        String version,
        long seed,
        int kills,
        int every,
        boolean keep,
        boolean quick,
        String report) {
    static TrialOptions of(List<String> arguments) {
        var names = new ArrayList<String>();
        String version = "3.5.16";
        String report = "";
        long seed = System.nanoTime();
        int kills = 30;
        int every = 1;
        boolean keep = false;
        boolean quick = false;
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--version" -> version = rest.next();
                case "--seed" -> seed = Long.parseLong(rest.next());
                case "--kills" -> kills = Integer.parseInt(rest.next());
                case "--every" -> every = Integer.parseInt(rest.next());
                case "--report" -> report = rest.next();
                case "--keep" -> keep = true;
                case "--quick" -> quick = true;
                default -> names.add(word);
            }
        }
        return new TrialOptions(List.copyOf(names), version, seed, quick ? 1 : kills, every, keep, quick, report);
    }
}
