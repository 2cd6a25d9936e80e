package io.github.etcdgitops.trial.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Volumes of members that left are retained for the time that the document says, under a client, and then deleted.
/// Time is not waited for: the date on a claim is set back by hand.
public final class LeftVolumesTrial implements Trial {
    private static final String RING = "fewer";
    private static final String DATE = "etcdgitops.dev/released-at";
    private static final Duration AFTER = Duration.ofHours(1);

    @Override
    public String name() {
        return "left-volumes";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 5);
        var load = bench.load(RING);
        try {
            commit(bench);
            var before = Instant.now().minusSeconds(1);
            bench.converge(RING, 3);
            var claims = claims(bench);
            TrialFailure.unlessSame(
                    "the claims after the departure", names(0, 1, 2, 3, 4), List.copyOf(claims.keySet()));
            for (String left : names(3, 4)) {
                TrialFailure.unless(
                        !date(claims.get(left)).isBefore(before), left + " has a date before its member left");
            }
            retained(bench);

            dated(bench, 3, Optional.of(Instant.now().minus(AFTER)));
            dated(bench, 4, Optional.empty());
            UpgradesTrial.said(bench.tool().planned(), "delete the volumes of 1 former member");
            figures.timed("deletion", () -> bench.tool().demand(0, "reconcile"));
            TrialFailure.unlessSame(
                    "the claims then",
                    names(0, 1, 2, 4),
                    List.copyOf(claims(bench).keySet()));
            TrialFailure.unless(
                    !date(claims(bench).get("data-" + RING + "-4")).isBefore(before),
                    "the claim without a date got none");
            retained(bench);

            dated(bench, 4, Optional.of(Instant.now().minus(AFTER)));
            var cut = new Cuts(bench).cut(1);
            figures.put("killedAt", cut.orElse("nothing"));
            bench.converge(RING, 3);
            TrialFailure.unlessSame(
                    "the claims at last",
                    names(0, 1, 2),
                    List.copyOf(claims(bench).keySet()));
        } finally {
            Bench.demand(load.stop(), figures, "");
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members", 3, LiveRing.demandAlike(bench, RING));
    }

    private static void retained(Bench bench) throws Exception {
        var before = List.copyOf(claims(bench).keySet());
        bench.tool().demand(0, "reconcile");
        TrialFailure.unlessSame(
                "the claims before their time",
                before,
                List.copyOf(claims(bench).keySet()));
    }

    private static void commit(Bench bench) throws Exception {
        String document = new String(bench.document(RING, 3), UTF_8)
                .replace("size: 1Gi", "size: 1Gi\n    retention: {whenScaled: Delete, after: 1h}");
        bench.git().commit("Three members", Map.of("clusters/" + RING + ".yaml", document.getBytes(UTF_8)));
    }

    private static void dated(Bench bench, int ordinal, Optional<Instant> date) {
        bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName("data-" + RING + "-" + ordinal)
                .edit(claim -> {
                    var annotations = claim.getMetadata().getAnnotations();
                    annotations.remove(DATE);
                    date.ifPresent(at -> annotations.put(DATE, at.toString()));
                    return claim;
                });
    }

    private static TreeMap<String, PersistentVolumeClaim> claims(Bench bench) {
        return bench
                .kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", RING)
                .list()
                .getItems()
                .stream()
                .collect(Collectors.toMap(c -> c.getMetadata().getName(), c -> c, (a, _) -> a, TreeMap::new));
    }

    private static Instant date(PersistentVolumeClaim claim) {
        return Instant.parse(claim.getMetadata().getAnnotations().get(DATE));
    }

    private static List<String> names(Integer... ordinals) {
        return List.of(ordinals).stream().map(o -> "data-" + RING + "-" + o).toList();
    }
}
