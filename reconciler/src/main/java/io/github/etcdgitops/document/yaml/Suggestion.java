package io.github.etcdgitops.document.yaml;

import io.github.etcdgitops.inert.Few;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The probably intended word: the known word with the fewest typing errors.
public final class Suggestion {
    /// Other tools' words for things with another name here.
    private static final Map<String, String> ELSEWHERE = Map.of(
            "replicas", "size",
            "members", "size",
            "clustersize", "size",
            "etcdversion", "version",
            "class", "storageClassName",
            "storageclass", "storageClassName",
            "tag", "version");

    private static final int LONGEST = 64;

    private static final int NAMED = 5;

    private Suggestion() {}

    /// The advice for a name that does not exist.
    public static String hint(String wanted, Collection<String> known, String otherwise) {
        return nearest(wanted, known)
                .map(nearest -> "Did you mean `" + nearest + "`?")
                .orElse(known.isEmpty() ? "Write one in policies/." : otherwise + some(List.copyOf(known)) + ".");
    }

    /// The first few of them, and how many more there are.
    public static String some(List<String> all) {
        return Few.of(all, NAMED);
    }

    public static Optional<String> nearest(String word, Collection<String> known) {
        if (word.isEmpty() || word.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = word.toLowerCase(Locale.ROOT);
        String synonym = ELSEWHERE.get(lower);
        if (synonym != null && known.contains(synonym)) {
            return Optional.of(synonym);
        }
        record Candidate(String word, int distance) {}
        return known.stream()
                .map(k -> new Candidate(k, distance(lower, k.toLowerCase(Locale.ROOT))))
                .filter(c -> c.distance()
                        <= Math.max(1, Math.min(word.length(), c.word().length()) / 3))
                .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::word))
                .map(Candidate::word);
    }

    /// Insertions, deletions, replacements and swaps of neighbours.
    public static int distance(String a, String b) {
        var cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
