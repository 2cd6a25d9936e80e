package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;
import java.util.List;

/// The backup locations of the environment's rings, each opened and listed as a run would.
public record BackupFacts(List<Place> places) {
    public BackupFacts {
        places = List.copyOf(places);
    }

    /// `policies` are those that name the location; never none.
    public record Place(Destination destination, List<BackupPolicy> policies, Fact<Kept> kept) {
        public Place {
            policies = List.copyOf(policies);
        }
    }

    /// What a listing shows of this environment.
    public record Kept(int backups, int rings) {}
}
