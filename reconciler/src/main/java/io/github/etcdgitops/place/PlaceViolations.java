package io.github.etcdgitops.place;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The documents that name a place for which the operator does not allow their credentials.
public final class PlaceViolations {
    private PlaceViolations() {}

    public static List<Violation> of(DesiredState desired, PlaceSource places) {
        var violations = new ArrayList<Violation>();
        for (var policy : desired.protection().policies()) {
            refusal(policy.destination(), places)
                    .ifPresent(why -> violations.add(violation(policy.source(), "spec.destination", why)));
        }
        for (var restore : desired.protection().restores().values()) {
            if (restore.from() instanceof From.Bare(Destination object)) {
                refusal(object.parent(), places)
                        .ifPresent(why -> violations.add(violation(restore.source(), "spec.from", why)));
            }
        }
        return List.copyOf(violations);
    }

    private static Optional<String> refusal(Destination destination, PlaceSource places) {
        var set = switch (destination) {
            case Destination.S3 s3 -> s3.credentials();
            case Destination.Gcs gcs -> gcs.credentials();
            case Destination.Directory _ -> Optional.<String>empty();
        };
        return places.of(set).refusal(destination);
    }

    private static Violation violation(Location at, String field, String why) {
        return Violation.of("place-not-allowed", at, "`" + field + "`: " + why + ".");
    }
}
