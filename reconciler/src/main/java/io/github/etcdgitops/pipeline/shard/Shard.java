package io.github.etcdgitops.pipeline.shard;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// One of `count` processes that share an environment's rings, numbered from 0. The first one leads: it
/// plans and reports for all.
public record Shard(int index, int count) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,3})/(\\d{1,3})");

    /// All rings of an environment in one process.
    public static final Shard WHOLE = new Shard(0, 1);

    public Shard {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException("shards are numbered from 0/N to N-1/N");
        }
    }

    /// `0/3`. Empty when the text is invalid.
    public static Optional<Shard> parse(String text) {
        var match = TEXT.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        int index = Integer.parseInt(match.group(1));
        int count = Integer.parseInt(match.group(2));
        return index < count ? Optional.of(new Shard(index, count)) : Optional.empty();
    }

    public boolean leads() {
        return index == 0;
    }

    /// Assigns rings to shards: the heaviest ring first, each to the shard with the least weight, ties by
    /// name and number. So every process gets the same result without asking the others. A ring's weight is
    /// its number of members, which decides how much there is to observe and to wait for.
    public static SortedMap<ClusterRef, Integer> assign(List<EtcdClusterSpec> rings, int count) {
        var heaviest = rings.stream()
                .sorted(Comparator.comparingInt(EtcdClusterSpec::size)
                        .reversed()
                        .thenComparing(EtcdClusterSpec::ref))
                .toList();
        var loads = new int[count];
        var assigned = new TreeMap<ClusterRef, Integer>();
        for (var ring : heaviest) {
            int least = 0;
            for (int shard = 1; shard < count; shard++) {
                least = loads[shard] < loads[least] ? shard : least;
            }
            loads[least] += ring.size();
            assigned.put(ring.ref(), least);
        }
        return Collections.unmodifiableSortedMap(assigned);
    }
}
