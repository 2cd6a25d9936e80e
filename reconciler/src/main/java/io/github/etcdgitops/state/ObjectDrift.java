package io.github.etcdgitops.state;

import java.util.List;

/// An object that is missing (no pointers) or differs from the wanted one at the given JSON pointers.
public record ObjectDrift(ManagedObject object, List<String> pointers) implements Comparable<ObjectDrift> {
    public ObjectDrift {
        pointers = pointers.stream().sorted().toList();
    }

    public boolean missing() {
        return pointers.isEmpty();
    }

    @Override
    public int compareTo(ObjectDrift other) {
        return object.compareTo(other.object);
    }
}
