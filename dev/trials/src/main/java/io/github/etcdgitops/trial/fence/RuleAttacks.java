package io.github.etcdgitops.trial.fence;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a contributor of team b can merge that is about rules: policies, exemptions, settings, and an approval of their
/// own change.
final class RuleAttacks {
    private static final String FLEET = "etcd-gitops.yaml";

    private RuleAttacks() {}

    static List<Attack> all() {
        return List.of(
                TreeAttacks.founds(
                        "a policy that denies every change of everybody",
                        arena -> policy(
                                arena,
                                "Policy",
                                "team-b-loot",
                                "rules: {freeze: {until: \"2099-01-01T00:00:00Z\", reason: mine}}"),
                        "fresh  done"),
                rule(
                        "a policy for the rings of team a",
                        "Policy",
                        "team-b-loot",
                        "clusters: {namespaces: [VICTIMS]}\n  rules: {odd-members: {sizes: [7]}}",
                        "[outside-tenant]"),
                rule(
                        "a policy with a name of team a",
                        "Policy",
                        "team-a-loot",
                        "rules: {odd-members: {sizes: [7]}}",
                        "[outside-tenant]"),
                merges(
                        "300 expressions",
                        arena -> arena.write("policies/team-b/loot.yaml", slow(300)),
                        "[out-of-range]"),
                merges(
                        "expressions that take for ever",
                        arena -> arena.write("policies/team-b/loot.yaml", slow(64)),
                        "own"),
                rule(
                        "an exemption from the owners' rules",
                        "PolicyExemption",
                        "team-b-loot",
                        "rules: [require-tls]\n"
                                + "  rings: [{namespace: VICTIMS, name: quiet}]\n"
                                + "  owner: mallory\n"
                                + "  reason: because\n"
                                + "  ticket: X-1\n"
                                + "  created: \"2026-11-01T00:00:00Z\"\n"
                                + "  expires: \"2026-12-30T00:00:00Z\"",
                        "[outside-tenant]"),
                merges(
                        "settings of the fleet in the folder of the team",
                        arena -> arena.write(
                                "clusters/team-b/fleet.yaml",
                                "apiVersion: etcdgitops.dev/v1alpha1\n"
                                        + "kind: Fleet\n"
                                        + "metadata: {name: mine}\n"
                                        + "spec: {approvals: {authorMayApprove: true}}\n"),
                        "[wrong-folder]"),
                deletes("an approval of the own deletion", RuleAttacks::approveOwnDeletion),
                deletes(
                        "settings of the owners by which authors approve their own changes, and such an approval",
                        arena -> {
                            approveOwnDeletion(arena);
                            owners(arena, "  tenants:", "  approvals: {authorMayApprove: true}\n  tenants:");
                        }),
                merges(
                        "settings of the owners that give away the namespace of team c, and a ring there",
                        arena -> {
                            owners(arena, "[" + arena.third() + "]", "[" + arena.third() + "-x]");
                            owners(
                                    arena,
                                    "[" + arena.attackers() + "]",
                                    "[" + arena.attackers() + ", " + arena.third() + "]");
                            arena.write("clusters/team-b/loot.yaml", arena.ring("loot", arena.third(), ""));
                        },
                        "[outside-tenant]"),
                merges(
                        "an approval of such settings from the folder of the team",
                        arena -> arena.write("approvals/team-b/rules.yaml", """
                            apiVersion: etcdgitops.dev/v1alpha1
                            kind: Approval
                            metadata: {name: rules}
                            spec:
                              rules: 2ff2f5fb71d010be
                              approvedBy: mallory@example.org
                              reason: because
                              expires: "2099-01-01T00:00:00Z"
                            """),
                        "The approval rules belong to the owners"),
                merges(
                                "the end of the owners' settings",
                                arena -> Files.delete(arena.bench().git().work().resolve(FLEET)),
                                "the last run was for")
                        .endsTheRun());
    }

    private static Attack deletes(String what, Move move) {
        return merges(what, move, "does not count")
                .proof((arena, _) -> TrialFailure.unless(
                        arena.founded(arena.attackers(), FenceArena.OWN),
                        "the ring is deleted by its author's approval"));
    }

    /// By somebody who may write the owners' files, and should not.
    private static void owners(FenceArena arena, String before, String after) throws IOException {
        Path fleet = arena.bench().git().work().resolve(FLEET);
        String text = Files.readString(fleet);
        TrialFailure.unless(text.contains(before), "the settings have no " + before);
        Files.writeString(fleet, text.replace(before, after));
    }

    /// A tombstone that takes the volumes as well waits for an approval: its author writes that, too.
    private static void approveOwnDeletion(FenceArena arena) throws Exception {
        Path folder = Files.createDirectories(Path.of(arena.place().folder() + "-b"));
        arena.write("policies/team-b/last.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: team-b-last}
            spec:
              destination:
                directory: {path: "%s"}
            """.formatted(folder));
        arena.write("tombstones/team-b/own.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata: {name: own}
            spec:
              cluster: {namespace: %s, name: own}
              clusterId: "%s"
              data: snapshotThenDelete
              policy: team-b-last
              reason: gone
            """.formatted(
                        arena.attackers(), arena.clusterId(arena.attackers(), FenceArena.OWN)));
        Files.delete(arena.bench().git().work().resolve("clusters/team-b/own.yaml"));
        arena.bench().git().commitAs("main", "Delete own", FenceArena.MALLORY);
        var plan = arena.bench().tool().start("plan", "-o", "json");
        plan.exit();
        String id = "";
        for (var ring : new ObjectMapper().readTree(plan.stdout()).path("clusters")) {
            for (var operation : ring.path("operations")) {
                if (operation.path("verdict").path("rule").asText().equals("approval")) {
                    id = operation.path("id").asText();
                }
            }
        }
        TrialFailure.unless(!id.isEmpty(), "the deletion is not planned: " + plan.tail());
        arena.write("approvals/team-b/own.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: own}
            spec:
              cluster: {namespace: %s, name: own}
              operations: ["%s"]
              approvedBy: kim@example.org
              reason: because
              expires: "2099-01-01T00:00:00Z"
            """.formatted(arena.attackers(), id));
    }

    /// A policy of team b with so many expressions, each of ten thousand rounds.
    static String slow(int expressions) {
        String ten = "[1,2,3,4,5,6,7,8,9,10]";
        String text = ten + ".all(a, " + ten + ".all(b, " + ten + ".all(c, " + ten + ".all(d, true))))";
        return IntStream.range(0, expressions)
                .mapToObj(i -> "    - {name: slow-" + i + ", expression: \"" + text + "\", message: slow}\n")
                .collect(Collectors.joining(
                        "",
                        "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: team-b-loot}\nspec:\n"
                                + "  validations:\n",
                        ""));
    }

    private static Attack rule(String what, String kind, String name, String spec, String fence) {
        return merges(what, arena -> policy(arena, kind, name, spec), fence);
    }

    private static void policy(FenceArena arena, String kind, String name, String spec) throws IOException {
        arena.write(
                "policies/team-b/loot.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n  "
                        + spec.replace("VICTIMS", arena.victims()) + "\n");
    }

    private static Attack merges(String name, Move move, String fence) {
        return Attack.by(Party.CONTRIBUTOR, name, move, fence);
    }
}
