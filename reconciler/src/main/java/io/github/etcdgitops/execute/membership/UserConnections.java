package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingPasswords.Touched;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;

/// Our Secrets of users say how to connect, as the connection ConfigMap does: both are written at the same time,
/// so that clients know a CA before members show its certificates. What fails here holds nothing up: the journal
/// still says that these Secrets are outdated, and the next run plans to write them.
record UserConnections(StepContext context) {
    /// What was done, for people; empty where there was nothing to do.
    Optional<String> write() {
        int written = 0;
        for (String user : users()) {
            try {
                var touched = context.secrets().passwords().connectUser(context.objectsAtRest(), user);
                written += touched == Touched.CHANGED ? 1 : 0;
            } catch (GatewayException e) {
                return Optional.of("not every Secret of a user could be written: " + e.getMessage());
            }
        }
        return written == 0 ? Optional.empty() : Optional.of(Count.of(written, "Secret") + " of users");
    }

    private SortedSet<String> users() {
        return context.journalState()
                .flatMap(stored -> stored.journal().past().auth())
                .flatMap(Journal.Users::secrets)
                .map(UserSecrets::users)
                .orElseGet(Collections::emptySortedSet);
    }
}
