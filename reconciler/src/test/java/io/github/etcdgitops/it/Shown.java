package io.github.etcdgitops.it;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a watch of a load's keys was shown, from a revision before the first write on. A write that was tried twice
/// may have been made twice; each of them is shown then, and etcd's version of the key counts them. Safe for many
/// threads.
final class Shown {
    private static final int KEPT = 20;

    private final String prefix;
    private final long from;
    /// Counted from `from`. No two writes of a load have the same revision.
    private final BitSet revisions = new BitSet();

    private final BitSet first = new BitSet();
    private final Map<Integer, BitSet> again = new HashMap<>();
    private final List<String> troubles = new ArrayList<>();
    private long last;
    private long events;
    private long doubled;
    private long outOfOrder;

    Shown(String prefix, long from) {
        this.prefix = prefix;
        this.from = from;
        this.last = from - 1;
    }

    synchronized void add(Event event) {
        var changed = event.getKv();
        long revision = changed.getModRevision();
        String name = changed.getKey().toString(StandardCharsets.US_ASCII).substring(prefix.length());
        if (revision < from) {
            trouble("event of revision " + revision + ", before the first of the watch, " + from);
            return;
        }
        int place = Math.toIntExact(revision - from);
        if (revisions.get(place)) {
            doubled++;
            return;
        }
        revisions.set(place);
        if (revision < last) {
            outOfOrder++;
        }
        last = Math.max(last, revision);
        if (event.getType() == Event.EventType.DELETE) {
            trouble("key " + name + " was deleted at revision " + revision);
        } else if (Character.isDigit(name.charAt(0))) {
            events++;
            written(name, changed);
        }
    }

    private void written(String name, KeyValue changed) {
        int number = Integer.parseInt(name);
        if (!changed.getValue().toString(StandardCharsets.US_ASCII).equals(Integer.toString(number))) {
            trouble("key " + name + " was shown with another value at revision " + changed.getModRevision());
        }
        int version = Math.toIntExact(changed.getVersion());
        if (version == 1) {
            first.set(number);
        } else {
            again.computeIfAbsent(number, _ -> new BitSet()).set(version);
        }
    }

    /// What no later event makes good.
    synchronized void trouble(String what) {
        if (troubles.size() < KEPT) {
            troubles.add(what);
        }
    }

    synchronized boolean isTroubled() {
        return !troubles.isEmpty();
    }

    /// The highest revision of which an event was shown.
    synchronized long last() {
        return last;
    }

    /// Writes that were made and not shown: those that were acknowledged, and those before a shown one of the
    /// same key.
    synchronized LoadWatch.Events count(BitSet acknowledged) {
        var missing = (BitSet) acknowledged.clone();
        again.keySet().forEach(missing::set);
        missing.andNot(first);
        long between = again.values().stream()
                .mapToLong(versions -> versions.length() - 2 - versions.cardinality())
                .sum();
        return new LoadWatch.Events(events, missing.cardinality() + between, doubled, outOfOrder, troubles);
    }
}
