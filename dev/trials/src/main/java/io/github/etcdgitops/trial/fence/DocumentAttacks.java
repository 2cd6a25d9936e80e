package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a contributor of team b can merge beside rings: restores, backups, one-shots, tombstones and approvals that
/// name what belongs to team a, or to the operator.
final class DocumentAttacks {
    private static final String LOOT = "loot";
    private static final String OUTSIDE = "[outside-tenant]";
    private static final String PLACE = "may not be used";
    private static final String FORMAT = "[bad-format]";

    private DocumentAttacks() {}

    static List<Attack> all() {
        return Stream.of(restores(), places(), oneShots()).flatMap(List::stream).toList();
    }

    private static List<Attack> restores() {
        return List.of(
                restore(
                        "the newest backup of team a",
                        arena -> "{policy: nightly, environment: "
                                + arena.bench().namespace() + ", cluster: {namespace: " + arena.victims()
                                + ", name: quiet}}",
                        OUTSIDE),
                restore("a file of the operator's machine", _ -> "{url: \"file:///etc/passwd\"}", OUTSIDE),
                restore(
                        "the folder of team a's backups",
                        arena -> "{url: \"file://" + snapshot(arena) + "\"}",
                        OUTSIDE),
                restore(
                        "the same by a way around",
                        arena -> "{url: \"file:///tmp/.." + snapshot(arena) + "\"}",
                        "[bad-url]"),
                restore(
                        "gs:// at a server of the attacker",
                        arena -> "{url: \"gs://loot/any\", endpoint: \""
                                + arena.snare().url("http") + "\", credentialsRef: {name: storage}}",
                        PLACE),
                restore(
                        "s3:// at a server of the attacker",
                        arena -> "{url: \"s3://loot/any\", endpoint: \""
                                + arena.snare().url("http")
                                + "\", region: eu-central-1, pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE),
                restore(
                        "s3:// over TLS at a server of the attacker",
                        arena -> "{url: \"s3://loot/any\", endpoint: \""
                                + arena.snare().url("https")
                                + "\", region: eu-central-1, pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE),
                restore(
                        "the address of the machine's metadata",
                        _ -> "{url: \"s3://loot/any\", endpoint: \"http://169.254.169.254\", region: eu-central-1,"
                                + " pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE));
    }

    private static Path snapshot(FenceArena arena) throws Exception {
        return arena.place()
                .file(arena.place().keys().stream()
                        .filter(key -> key.contains("snapshot"))
                        .findFirst()
                        .orElseThrow());
    }

    /// `from` is YAML.
    private interface From {
        String of(FenceArena arena) throws Exception;
    }

    private static Attack restore(String what, From from, String fence) {
        return merges(
                        "a restore of " + what,
                        arena -> {
                            arena.write("clusters/team-b/loot.yaml", arena.ring(LOOT, arena.attackers(), ""));
                            arena.write("clusters/team-b/restore.yaml", """
                                apiVersion: etcdgitops.dev/v1alpha1
                                kind: EtcdRestore
                                metadata: {name: loot}
                                spec:
                                  cluster: {namespace: %s, name: %s}
                                  from: %s
                                """.formatted(
                                            arena.attackers(), LOOT, from.of(arena)));
                        },
                        fence)
                .proof((arena, _) ->
                        TrialFailure.unless(!arena.founded(arena.attackers(), LOOT), "the ring was founded"));
    }

    private static List<Attack> places() {
        return List.of(
                keeps(
                                "team b keeps its backups beside those of team a",
                                arena -> arena.place().destination(),
                                OUTSIDE)
                        .proof((arena, _) -> TrialFailure.unless(
                                arena.place().keys().stream().noneMatch(key -> key.contains(arena.attackers())),
                                "a backup of team b lies in the place of team a")),
                keeps(
                                "in a folder of the operator's machine",
                                arena -> "directory: {path: \"" + outside(arena) + "\"}",
                                OUTSIDE)
                        .proof((arena, _) ->
                                TrialFailure.unless(!outside(arena).toFile().exists(), "the folder was written to")),
                keeps(
                        "at a server of the attacker",
                        arena -> "s3: {bucket: loot, endpoint: \""
                                + arena.snare().url("http") + "\", pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE),
                keeps(
                        "at a server of the attacker over TLS",
                        arena -> "s3: {bucket: loot, endpoint: \""
                                + arena.snare().url("https") + "\", pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE),
                keeps(
                        "at an address in decimal digits",
                        arena -> "s3: {bucket: loot, endpoint: \"http://2130706433:"
                                + arena.snare().port() + "\", pathStyle: true, credentialsRef: {name: storage}}",
                        FORMAT),
                keeps(
                        "at an IPv4 address inside IPv6",
                        arena -> "s3: {bucket: loot, endpoint: \"http://[::ffff:127.0.0.1]:"
                                + arena.snare().port() + "\", pathStyle: true, credentialsRef: {name: storage}}",
                        PLACE),
                keeps(
                        "in Google's dialect at a server of the attacker",
                        arena -> "gcs: {bucket: loot, endpoint: \""
                                + arena.snare().url("http") + "\", credentialsRef: {name: storage}}",
                        PLACE),
                keeps(
                        "at a port that is none",
                        _ -> "s3: {bucket: loot, endpoint: \"http://minio:99999\", pathStyle: true, credentialsRef:"
                                + " {name: storage}}",
                        FORMAT),
                keeps(
                        "with credentials outside the folder",
                        arena -> "s3: {bucket: loot, endpoint: \""
                                + arena.snare().url("http")
                                + "\", pathStyle: true, credentialsRef: {name: ../../etc}}",
                        FORMAT),
                merges(
                        "backups of team a's rings to a server of the attacker",
                        arena -> arena.backsUp(
                                arena.victims(),
                                "s3: {bucket: loot, endpoint: \""
                                        + arena.snare().url("http")
                                        + "\", pathStyle: true, credentialsRef: {name: storage}}"),
                        OUTSIDE));
    }

    private static Path outside(FenceArena arena) {
        return arena.bench().folder().resolve("outside");
    }

    private static Attack keeps(String where, From destination, String fence) {
        return merges("backups " + where, arena -> arena.backsUp(arena.attackers(), destination.of(arena)), fence);
    }

    private static List<Attack> oneShots() {
        return List.of(
                names("a backup on request", "EtcdBackup", "clusters", "policy: nightly"),
                names(
                        "a reset of a volume",
                        "VolumeReset",
                        "clusters",
                        "ordinal: 0\n  claimUid: 7c5e3f0a-9a54-4f6e-8e1c-2f6a0d1b9c34\n  reason: broken"),
                names(
                        "a replacement of a member",
                        "MemberReplacement",
                        "clusters",
                        "ordinal: 0\n  memberId: 8e9e05c52164694d\n  reason: broken"),
                names(
                        "a tombstone",
                        "Tombstone",
                        "tombstones",
                        "clusterId: cdf818194e3a8c32\n  data: retain\n  reason: gone"),
                names(
                        "an approval",
                        "Approval",
                        "approvals",
                        "operations: [0a1b2c3d4e5f6071]\n"
                                + "  approvedBy: mallory@example.org\n"
                                + "  reason: because\n"
                                + "  expires: \"2099-01-01T00:00:00Z\""));
    }

    private static Attack names(String what, String kind, String folder, String more) {
        return merges(
                        what + " for the ring of team a",
                        arena -> arena.write(folder + "/team-b/loot.yaml", """
                            apiVersion: etcdgitops.dev/v1alpha1
                            kind: %s
                            metadata: {name: loot}
                            spec:
                              cluster: {namespace: %s, name: quiet}
                              %s
                            """.formatted(kind, arena.victims(), more)),
                        OUTSIDE)
                .proof((arena, _) -> TrialFailure.unless(
                        arena.founded(arena.victims(), FenceArena.QUIET), "the ring of team a is gone"));
    }

    private static Attack merges(String name, Move move, String fence) {
        return Attack.by(Party.CONTRIBUTOR, name, move, fence);
    }
}
