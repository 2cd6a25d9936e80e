package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What to take over: the StatefulSet by its UID, its claim template by name, the ring by its ID, and each
/// member with its ID, its claim and the location of its data. `applied` is the members' configuration, in
/// our terms.
public record AdoptionOrder(
        String statefulSet,
        String claims,
        EtcdId clusterId,
        SortedMap<Integer, Journal.Member> members,
        MemberSettings applied) {
    public AdoptionOrder {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    public int size() {
        return members.size();
    }
}
