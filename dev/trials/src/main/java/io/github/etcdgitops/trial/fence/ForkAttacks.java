package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What a pull request from a fork may bring. It is judged offline, by the rules of the main branch; nothing of it is
/// carried out.
final class ForkAttacks {
    private static final String FLEET = "etcd-gitops.yaml";

    private ForkAttacks() {}

    static List<Attack> all() {
        return List.of(
                opens(
                        "a restore from a server of the attacker",
                        arena -> {
                            arena.write("clusters/team-b/loot.yaml", arena.ring("loot", arena.attackers(), ""));
                            arena.write("clusters/team-b/restore.yaml", """
                                apiVersion: etcdgitops.dev/v1alpha1
                                kind: EtcdRestore
                                metadata: {name: loot}
                                spec:
                                  cluster: {namespace: %s, name: loot}
                                  from: {url: "s3://loot/any", endpoint: "%s", pathStyle: true, credentialsRef: {name: storage}}
                                """.formatted(
                                            arena.attackers(), arena.snare().url("http")));
                        },
                        "[place-not-allowed]"),
                opens(
                        "a policy that sends backups to a server of the attacker",
                        arena -> arena.backsUp(
                                arena.attackers(),
                                FenceArena.bucket(arena.snare().url("http"), "storage")),
                        "no ring was observed"),
                opens(
                        "a ring in a namespace of the system",
                        arena -> arena.write("clusters/team-b/loot.yaml", arena.ring("loot", "kube-system", "")),
                        "[outside-tenant]"),
                opens(
                        "settings without tenants, and a ring of team a in the folder of team b",
                        arena -> {
                            arena.write(FLEET, fleet(arena).replaceAll("(?s)  tenants:.*", ""));
                            arena.write("clusters/team-b/loot.yaml", arena.ring("loot", arena.victims(), ""));
                        },
                        "[outside-tenant]"),
                opens(
                        "no settings at all, and a ring of team a in the folder of team b",
                        arena -> {
                            Files.delete(work(arena).resolve(FLEET));
                            arena.write("clusters/team-b/loot.yaml", arena.ring("loot", arena.victims(), ""));
                        },
                        "[outside-tenant]"),
                opens(
                        "settings by which authors approve their own changes",
                        arena -> arena.write(
                                FLEET,
                                fleet(arena)
                                        .replace("  tenants:", "  approvals: {authorMayApprove: true}\n  tenants:")),
                        "authorMayApprove"),
                opens(
                        "a link out of the repository",
                        arena -> Files.createSymbolicLink(
                                work(arena).resolve("clusters/team-b/link.yaml"), Path.of("/etc/passwd")),
                        "[symbolic-link]"),
                opens(
                                "a suspension with a control sequence and a workflow command",
                                arena -> arena.write(
                                        "clusters/team-b/own.yaml",
                                        arena.ring(
                                                FenceArena.OWN,
                                                arena.attackers(),
                                                "suspend: {reason: \"\\e]8;;http://x\\a\\n"
                                                        + "::error file=x::text\", by: mallory}\n")),
                                "own")
                        .proof((_, run) -> TrialFailure.unless(
                                !run.log().contains("\u001b")
                                        && run.log().lines().noneMatch(line -> line.startsWith("::error")),
                                "the text is printed as it is")),
                opens(
                        "expressions that take for ever",
                        arena -> arena.write("policies/team-b/loot.yaml", RuleAttacks.slow(64)),
                        "no ring was observed"),
                opens(
                        "20 MB of documents",
                        arena -> {
                            for (int i = 0; i < 100; i++) {
                                arena.write(
                                        "clusters/team-b/large-" + i + ".yaml",
                                        "a" + i + ": " + "x".repeat(200_000) + "\n");
                            }
                        },
                        "[missing-field]"));
    }

    private static String fleet(FenceArena arena) throws Exception {
        return Files.readString(work(arena).resolve(FLEET));
    }

    private static Path work(FenceArena arena) {
        return arena.bench().git().work();
    }

    private static Attack opens(String what, Move move, String fence) {
        return Attack.by(Party.FORK, "a pull request with " + what, move, fence);
    }
}
