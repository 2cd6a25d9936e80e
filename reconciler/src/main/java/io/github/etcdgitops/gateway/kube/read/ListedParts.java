package io.github.etcdgitops.gateway.kube.read;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Where the objects of one ring and kind are packed, and why others were not read. How much this may be
/// has a limit: what is heavier is not read from a list.
final class ListedParts {
    private long[] places = {};
    private int weight;
    private Map<String, String> unknown = Map.of();

    /// Whether the object is packed, too.
    boolean takes(ListedObject object) {
        boolean light = weight <= ListedObjects.HEAVIEST_RING;
        weigh(object.weight());
        return light;
    }

    void add(long place) {
        places = Arrays.copyOf(places, places.length + 1);
        places[places.length - 1] = place;
    }

    void unknown(ListedObject object, String why) {
        if (weight <= ListedObjects.HEAVIEST_RING) {
            unknown = unknown.isEmpty() ? new TreeMap<>() : unknown;
            unknown.put(object.name(), why);
        }
        weigh(object.name().length() + why.length());
    }

    private void weigh(int more) {
        weight = (int) Math.min((long) weight + more, Integer.MAX_VALUE);
    }

    int weight() {
        return weight;
    }

    long[] places() {
        return places.clone();
    }

    /// By name.
    Map<String, String> unknown() {
        return Collections.unmodifiableMap(unknown);
    }
}
