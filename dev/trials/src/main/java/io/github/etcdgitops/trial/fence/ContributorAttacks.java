package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.util.List;
import java.util.stream.Stream;

/// What a contributor of team b can merge: documents of rings that reach further than the team's fence.
final class ContributorAttacks {
    private static final String LOOT = "loot";
    private static final String OUTSIDE = "[outside-tenant]";
    private static final String IMAGE = "[foreign-image]";
    private static final String FIELD = "[unknown-field]";

    private ContributorAttacks() {}

    static List<Attack> all() {
        return Stream.of(namespaces(), templates()).flatMap(List::stream).toList();
    }

    private static List<Attack> namespaces() {
        return List.of(
                in("kube-system"),
                in("kube-public"),
                in("etcd-gitops"),
                in("default"),
                merges("a ring in the namespace of team a", arena -> loot(arena, arena.victims(), ""), OUTSIDE)
                        .proof((arena, run) -> demandNotFounded(arena, arena.victims())),
                merges(
                                "a document of the ring of team a with another size",
                                arena -> arena.write(
                                        "clusters/team-b/quiet.yaml",
                                        new String(arena.ring(FenceArena.QUIET, arena.victims(), ""), UTF_8)
                                                .replace("size: 1\n", "size: 3\n")),
                                OUTSIDE)
                        .proof((arena, run) -> TrialFailure.unlessSame(
                                "the replicas of team a's ring",
                                1,
                                arena.kube()
                                        .apps()
                                        .statefulSets()
                                        .inNamespace(arena.victims())
                                        .withName(FenceArena.QUIET)
                                        .get()
                                        .getSpec()
                                        .getReplicas())),
                merges(
                                "a document in the folder of nobody",
                                arena -> arena.write("clusters/loot.yaml", arena.ring(LOOT, arena.attackers(), "")),
                                "clusters/loot.yaml")
                        .proof((arena, run) -> demandNotFounded(arena, arena.attackers())));
    }

    private static Attack in(String namespace) {
        return merges("a ring in " + namespace, arena -> loot(arena, namespace, ""), OUTSIDE)
                .proof((arena, run) -> demandNotFounded(arena, namespace));
    }

    private static List<Attack> templates() {
        return List.of(
                asks("an image of another registry", "image: {repository: registry.example.org/etcd}", IMAGE),
                asks(
                        "an image whose registry begins like the official one",
                        "image: {repository: gcr.io.example.org/etcd-development/etcd}",
                        IMAGE),
                asks(
                        "an image beside the official one",
                        "image: {repository: gcr.io/etcd-development-mallory/etcd}",
                        IMAGE),
                asks(
                        "an image of another registry by digest",
                        "image: {repository: registry.example.org/etcd, digest: \"sha256:" + "a".repeat(64) + "\"}",
                        IMAGE),
                asksOfPods(
                        "a priority class of the system",
                        "priorityClassName: system-node-critical",
                        "[forbidden-priority]"),
                asksOfPods("a toleration of everything", "tolerations: [{operator: Exists}]", OUTSIDE),
                merges(
                                "a ring beside the nodes of its team",
                                arena -> arena.write("clusters/team-c/loot.yaml", arena.ring(LOOT, arena.third(), "")),
                                "nodes.selector")
                        .proof((arena, run) -> demandNotFounded(arena, arena.third())),
                asksOfPods("a service account", "serviceAccountName: cluster-admin", FIELD),
                asksOfPods("the network of the machine", "hostNetwork: true", FIELD),
                asksOfPods("a folder of the machine", "volumes: [{name: root, hostPath: {path: /}}]", FIELD));
    }

    private static Attack asks(String what, String line, String fence) {
        return merges("a ring with " + what, arena -> loot(arena, arena.attackers(), line + "\n"), fence)
                .proof((arena, run) -> demandNotFounded(arena, arena.attackers()));
    }

    private static Attack asksOfPods(String what, String line, String fence) {
        return merges(
                        "a ring with " + what,
                        arena -> arena.write(
                                "clusters/team-b/loot.yaml",
                                new String(arena.ring(LOOT, arena.attackers(), ""), UTF_8)
                                        .replace("  podTemplate:\n", "  podTemplate:\n    " + line + "\n")),
                        fence)
                .proof((arena, run) -> demandNotFounded(arena, arena.attackers()));
    }

    private static Attack merges(String name, Move move, String fence) {
        return Attack.by(Party.CONTRIBUTOR, name, move, fence);
    }

    private static void loot(FenceArena arena, String namespace, String more) throws Exception {
        arena.write("clusters/team-b/loot.yaml", arena.ring(LOOT, namespace, more));
    }

    private static void demandNotFounded(FenceArena arena, String namespace) {
        TrialFailure.unless(!arena.founded(namespace, LOOT), "the ring was founded in " + namespace);
    }
}
