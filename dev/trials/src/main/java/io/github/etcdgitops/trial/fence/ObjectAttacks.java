package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the admin of one namespace can do with objects there.
final class ObjectAttacks {
    private static final Map<String, String> OURS = Map.of("app.kubernetes.io/managed-by", "etcd-gitops");
    private static final int NESTED = 50_000;
    private static final int LARGE = 900_000;

    private ObjectAttacks() {}

    static List<Attack> all() {
        return Stream.of(labels(), journals(), leases(), members())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Attack> labels() {
        return List.of(
                admin(
                                "a ConfigMap that calls a ring like a token",
                                arena -> junk(arena, "junk", "ghp_" + "a".repeat(36)),
                                "is not a valid name of a ring")
                        .proof((arena, run) -> demandUnpublished(arena, "ghp_")),
                admin(
                        "200 ConfigMaps of 200 rings that are not there",
                        arena -> IntStream.range(0, 200).forEach(i -> junk(arena, "junk-" + i, "ring-" + i)),
                        "ring-199  orphan"),
                admin(
                        "a ConfigMap of the ring of team a, in the namespace of team b",
                        arena -> junk(arena, "quiet-journal", FenceArena.QUIET),
                        "-b/quiet  orphan"),
                admin(
                        "a ConfigMap whose label is no ring name",
                        arena -> junk(arena, "junk", "A.B_c"),
                        "is not a valid name of a ring"),
                admin("a claim of a ring that is not there", ObjectAttacks::claim, "gone  orphan"),
                admin(
                        "a ConfigMap of 900 kB that calls itself ours",
                        arena -> create(
                                arena,
                                new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withName("large")
                                        .withNamespace(arena.attackers())
                                        .withLabels(OURS)
                                        .endMetadata()
                                        .withData(Map.of("text", "x".repeat(LARGE)))
                                        .build()),
                        "quiet  done"));
    }

    private static List<Attack> journals() {
        return List.of(
                journal(
                        "whose epoch is the largest number",
                        text -> field(text, "epoch", "2147483647"),
                        "epoch is 2147483647"),
                journal(
                        "whose epoch is larger than any number",
                        text -> field(text, "epoch", "9".repeat(400)),
                        "epoch is not a whole number"),
                journal(
                        "whose epoch is a fraction",
                        text -> field(text, "epoch", "1.5e308"),
                        "epoch is not a whole number"),
                journal("that is not JSON", _ -> "{{{", "is not JSON"),
                journal("that is empty", _ -> "", "is not JSON"),
                journal("nested " + NESTED + " deep", _ -> "[".repeat(NESTED), "is not JSON"),
                journal("of 900 kB", text -> text + " ".repeat(LARGE), "has more than 524288 bytes"),
                journal("of a later format", text -> field(text, "formatVersion", "999"), "has format 999"),
                journal(
                        "of another cluster",
                        text -> field(text, "clusterId", "\"deadbeef\""),
                        "the journal has deadbeef"),
                journal(
                        "with a control sequence",
                        text -> field(text, "token", "\"\\u001b]8;;http://x\\u0007\""),
                        "own  done"));
    }

    /// One that nobody renews is taken once nobody renewed it for a minute, whatever its times say.
    private static List<Attack> leases() {
        return List.of(
                lease(
                        "with the largest number of transitions",
                        Integer.MAX_VALUE,
                        60,
                        () -> ZonedDateTime.now().minusDays(1),
                        "spec.leaseTransitions 2147483647"),
                lease(
                        "that was renewed in the year 9999",
                        1,
                        60,
                        () -> ZonedDateTime.parse("9999-12-31T23:59:59Z"),
                        "own  done"),
                lease("that lasts for 68 years", 1, Integer.MAX_VALUE, ZonedDateTime::now, "is held by mallory"));
    }

    private static List<Attack> members() {
        return List.of(
                admin(
                        "members' files that are not YAML",
                        arena -> edit(arena, "own-members", found -> {
                            found.getData().replaceAll((_, _) -> "\u0007: [");
                            return found;
                        }),
                        "in own-members cannot be understood"),
                admin(
                                "a suspension with a control sequence and a workflow command",
                                arena -> {
                                    var set = arena.admin()
                                            .apps()
                                            .statefulSets()
                                            .inNamespace(arena.attackers())
                                            .withName(FenceArena.OWN);
                                    set.edit(found ->
                                            annotated(found, "\u001b]8;;http://x\u0007\n::error file=x::text"));
                                    arena.afterwards(() -> set.edit(found -> annotated(found, null)));
                                },
                                "suspended by the annotation")
                        .proof((_, run) -> TrialFailure.unless(
                                !run.log().contains("\u001b")
                                        && run.log().lines().noneMatch(line -> line.startsWith("::error")),
                                "the text reached the terminal as it is")),
                admin(
                                "a Service that is not ours, with the name of a ring to be founded",
                                arena -> {
                                    arena.write(
                                            "clusters/team-b/fresh.yaml",
                                            new String(arena.ring("fresh", arena.attackers(), ""), UTF_8));
                                    create(
                                            arena,
                                            new ServiceBuilder()
                                                    .withNewMetadata()
                                                    .withName("fresh")
                                                    .withNamespace(arena.attackers())
                                                    .endMetadata()
                                                    .withNewSpec()
                                                    .addNewPort()
                                                    .withPort(80)
                                                    .endPort()
                                                    .withSelector(Map.of("app", "other"))
                                                    .endSpec()
                                                    .build());
                                },
                                "an object has a name of this ring")
                        .proof((arena, _) -> TrialFailure.unless(
                                !arena.founded(arena.attackers(), "fresh"),
                                "the ring was founded beside somebody's Service")));
    }

    private static Attack admin(String name, Move move, String fence) {
        return Attack.by(Party.NAMESPACE_ADMIN, name, move, fence);
    }

    private static void junk(FenceArena arena, String name, String ring) {
        create(
                arena,
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(arena.attackers())
                        .withLabels(OURS)
                        .addToLabels("etcdgitops.dev/cluster", ring)
                        .endMetadata()
                        .build());
    }

    private static void claim(FenceArena arena) {
        create(
                arena,
                new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data-gone-0")
                        .withNamespace(arena.attackers())
                        .withLabels(OURS)
                        .addToLabels("etcdgitops.dev/cluster", "gone")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .withRequests(Map.of("storage", new Quantity("1Mi")))
                        .endResources()
                        .endSpec()
                        .build());
    }

    private static void create(FenceArena arena, HasMetadata object) {
        var resource = arena.admin().resource(object);
        resource.create();
        arena.afterwards(resource::delete);
    }

    /// A change to the journal of the attacker's own ring, while that ring has something to be done.
    private static Attack journal(String how, UnaryOperator<String> change, String fence) {
        return admin(
                "a journal " + how,
                arena -> {
                    arena.disturbAttackers();
                    edit(arena, "own-journal", found -> {
                        String before = found.getData().get("journal.json");
                        String after = change.apply(before);
                        TrialFailure.unless(!after.equals(before), "the attack changes nothing");
                        found.getData().put("journal.json", after);
                        return found;
                    });
                },
                fence);
    }

    private static String field(String text, String name, String value) {
        return text.replaceFirst("\"" + name + "\" : [^,\n]*", "\"" + name + "\" : " + value.replace("\\", "\\\\"));
    }

    private static void edit(FenceArena arena, String name, UnaryOperator<ConfigMap> change) {
        Resource<ConfigMap> maps =
                arena.admin().configMaps().inNamespace(arena.attackers()).withName(name);
        var before = maps.get().getData();
        maps.edit(change);
        arena.afterwards(() -> maps.edit(found -> {
            found.setData(before);
            return found;
        }));
    }

    private static Attack lease(
            String how, int transitions, int seconds, Supplier<ZonedDateTime> renewed, String fence) {
        return admin(
                "a Lease " + how,
                arena -> {
                    arena.disturbAttackers();
                    var lease = arena.admin()
                            .leases()
                            .inNamespace(arena.attackers())
                            .withName("own-etcd-gitops");
                    var before = lease.get().getSpec();
                    lease.edit(found -> {
                        found.getSpec().setHolderIdentity("mallory");
                        found.getSpec().setLeaseTransitions(transitions);
                        found.getSpec().setLeaseDurationSeconds(seconds);
                        found.getSpec().setRenewTime(renewed.get());
                        return found;
                    });
                    arena.afterwards(() -> lease.edit(found -> {
                        found.setSpec(before);
                        return found;
                    }));
                },
                fence);
    }

    private static StatefulSet annotated(StatefulSet set, String reason) {
        var annotations = new TreeMap<>(set.getMetadata().getAnnotations());
        if (reason == null) {
            annotations.remove("etcdgitops.dev/suspend");
        } else {
            annotations.put("etcdgitops.dev/suspend", reason);
        }
        set.getMetadata().setAnnotations(annotations);
        return set;
    }

    private static void demandUnpublished(FenceArena arena, String text) throws Exception {
        String branch = "etcd-gitops/reports/" + arena.bench().namespace();
        String pages = arena.bench().git().ask("ls-tree", "-r", "--name-only", branch);
        TrialFailure.unless(pages.contains(FenceArena.QUIET), "nothing is published: " + pages);
        TrialFailure.unless(!pages.contains(text), "the name is published: " + pages);
    }
}
