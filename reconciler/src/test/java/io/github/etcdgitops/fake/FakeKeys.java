package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.GatewayException;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The keys of one cluster by revision, as every member of it has them. Revision 1 is an empty ring's, as in etcd;
/// each write makes the next one.
final class FakeKeys {
    /// What there was at a revision. The hash is over all that was written up to it.
    private record At(List<String> keys, long hash) {}

    private final TreeMap<Long, At> history = new TreeMap<>();
    /// As etcd has it where nothing was ever compacted.
    private long compacted = -1;

    FakeKeys() {
        history.put(1L, new At(List.of(), 1));
    }

    /// A ring that begins with what a snapshot has.
    FakeKeys(FakeSnapshot snapshot) {
        history.put(snapshot.revision(), new At(snapshot.keys(), snapshot.hash()));
    }

    long put(String key) {
        var newest = history.lastEntry();
        var keys = new TreeSet<>(newest.getValue().keys());
        keys.add(key);
        long hash = FakeWorld.idOf(newest.getValue().hash() + " " + key).value() & 0xffff_ffffL;
        history.put(newest.getKey() + 1, new At(List.copyOf(keys), hash));
        return revision();
    }

    void compact(long revision) {
        at(revision);
        compacted = revision;
    }

    long revision() {
        return history.lastKey();
    }

    long compacted() {
        return compacted;
    }

    List<String> keys(long revision) {
        return at(revision).keys();
    }

    long hash(long revision) {
        return at(revision).hash();
    }

    /// The same on a copy that is not compacted as far.
    long kept(long revision) {
        return history.floorEntry(revision).getValue().hash();
    }

    /// 0 is the newest.
    private At at(long revision) {
        if (revision > revision()) {
            throw refused("revision " + revision + ": the member does not have this revision yet");
        }
        if (revision > 0 && revision < compacted) {
            throw refused("revision " + revision + " is compacted");
        }
        return history.floorEntry(revision == 0 ? revision() : revision).getValue();
    }

    private static GatewayException refused(String why) {
        return new GatewayException(GatewayException.Kind.REJECTED, false, "etcd refuses: " + why);
    }
}
