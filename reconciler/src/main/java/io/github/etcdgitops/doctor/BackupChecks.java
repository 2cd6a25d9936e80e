package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.BackupFacts;
import io.github.etcdgitops.doctor.fact.BackupFacts.Kept;
import io.github.etcdgitops.doctor.fact.BackupFacts.Place;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;
import java.util.List;
import java.util.Optional;

/// Judges the backup locations: one line each.
final class BackupChecks {
    private static final String NAME = "backups";

    private BackupChecks() {}

    static List<Check> of(Fact<BackupFacts> facts, String because) {
        return switch (facts) {
            case Fact.Seen<BackupFacts>(BackupFacts(List<Place> places))
            when places.isEmpty() ->
                List.of(new Check.Skipped(NAME, "no BackupPolicy holds for a ring of this environment"));
            case Fact.Seen<BackupFacts>(BackupFacts(List<Place> places)) ->
                places.stream().map(BackupChecks::judge).toList();
            case Fact.Unseen<BackupFacts>(Trouble trouble, String reason) ->
                List.of(new Check.Failed(NAME, trouble, reason, List.of("see Git above")));
            case Fact.Unasked<BackupFacts> _ -> List.of(new Check.Skipped(NAME, because));
        };
    }

    private static Check judge(Place place) {
        String name = place.destination().title();
        return switch (place.kept()) {
            case Fact.Seen<Kept>(Kept kept) -> new Check.Ok(name, policies(place) + ": " + said(kept));
            case Fact.Unseen<Kept>(Trouble trouble, String reason) ->
                new Check.Failed(name, trouble, policies(place) + ": " + reason, remedy(place, trouble));
            case Fact.Unasked<Kept> _ -> new Check.Skipped(name, "not requested");
        };
    }

    private static String policies(Place place) {
        return (place.policies().size() == 1 ? "policy " : "policies ")
                + String.join(
                        ", ", place.policies().stream().map(BackupPolicy::name).toList());
    }

    private static String said(Kept kept) {
        return "can be listed; "
                + (kept.backups() == 0
                        ? "no backup of this environment yet"
                        : Count.of(kept.backups(), "backup") + " of " + Count.of(kept.rings(), "ring"));
    }

    private static List<String> remedy(Place place, Trouble trouble) {
        String file = place.policies().getFirst().source().toString();
        return switch (trouble) {
            case RIGHTS -> rights(place.destination());
            case CONFIGURATION, DOCUMENTS -> List.of(missing(place.destination()) + ", or correct it in " + file);
            case TEMPORARY ->
                List.of(
                        "try again; if it stays so: is the address right, does DNS know it, does a firewall, a proxy or"
                                + " a NetworkPolicy stand in between?",
                        "the NetworkPolicy in cronjob/ lets out ports 443, 6443 and 22 alone");
        };
    }

    private static List<String> rights(Destination destination) {
        return switch (destination) {
            case Destination.Directory _ ->
                List.of("let the user of this process read and write it: owner, mode, fsGroup of the pod");
            case Destination.S3 s3 -> keys(s3.credentials());
            case Destination.Gcs gcs -> keys(gcs.credentials());
        };
    }

    private static List<String> keys(Optional<String> set) {
        return List.of(
                set.map(name -> "look at the files of the set of credentials " + name + ": are they there, whole, and"
                                + " of a key that is still valid? cronjob/ mounts the Secret etcd-gitops-storage as"
                                + " the set storage")
                        .orElse("name a set of credentials with credentialsRef in the policy, or look at the variables"
                                + " of this process"),
                "the files, and the rights that a key needs: docs/backup-stores.md");
    }

    private static String missing(Destination destination) {
        return switch (destination) {
            case Destination.Directory _ -> "mount the volume there";
            case Destination.S3 _ -> "make the bucket, in the region that is named";
            case Destination.Gcs _ -> "make the bucket";
        };
    }
}
