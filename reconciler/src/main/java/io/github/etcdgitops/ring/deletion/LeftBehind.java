package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.Leftovers;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// What a deletion leaves behind, reported before it starts.
public final class LeftBehind {
    private LeftBehind() {}

    /// `claims` are those to delete.
    public static Finding of(ClusterState state, Journal journal, SortedMap<Integer, String> claims) {
        var left = Leftovers.of(state.ref(), state.kube(), journal);
        var text = new StringBuilder();
        String going = names(left, claims, true);
        if (!going.isEmpty()) {
            text.append("the volumes of former members are deleted with it: ")
                    .append(going)
                    .append(". ");
        }
        text.append("These stay: ");
        if (claims.isEmpty()) {
            text.append("the ring's ").append(journal.members().size()).append(" volumes");
            text.append(" (a tombstone with `data: deleteRetained` deletes them later), ");
        }
        String staying = names(left, claims, false);
        if (!staying.isEmpty()) {
            text.append("the volumes of former members: ")
                    .append(staying)
                    .append(" (a tombstone with `data: deleteRetained` deletes them");
            text.append(claims.isEmpty() ? " as well), " : ", once the ring is gone), ");
        }
        text.append(left.listed())
                .append(". When no volume is left, `")
                .append(left.command())
                .append("` deletes the rest and frees the name");
        return new Finding(Level.NOTE, FindingCode.LEFT_BEHIND, text.toString());
    }

    private static String names(Leftovers left, SortedMap<Integer, String> claims, boolean going) {
        return left.former().entrySet().stream()
                .filter(e -> e.getValue().uid().equals(claims.get(e.getKey())) == going)
                .map(e -> name(e.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String name(KubeState.ClaimState claim) {
        return claim.name() + " (UID " + claim.uid() + ")";
    }
}
