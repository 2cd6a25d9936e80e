package io.github.etcdgitops.trial.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Forty rings are rolled by one commit: nothing before the window opens, then the canaries, then the early ones,
/// then the others, so many at a time of each zone, and after one that fails no others in that run. The order is
/// read from the report branch alone.
public final class WavesTrial implements Trial {
    private static final int RINGS = 40;
    private static final int CANARIES = 2;
    private static final int EARLY = 12;
    private static final int AT_ONCE = 8;
    private static final Duration SOAK = Duration.ofSeconds(30);
    private static final int ENOUGH_RUNS = 60;

    /// Of the last wave: it is to run a version of which there is no image.
    private static final int FAILING = 20;

    private static final String NOWHERE = "3.5.29";
    private static final Set<String> ROLLS = Set.of("RollMembers", "UpgradeVersion");

    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);

    /// What was done to a ring by one run, and when.
    private record Done(int run, Instant began, Instant ended, boolean failed) {}

    @Override
    public String name() {
        return "waves";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("rings", RINGS);
        commit(bench, "Forty rings", rings(bench, "a", false));
        for (int run = 0; bench.tool().start("plan", "--detailed-exitcode").exit() != 0; run++) {
            TrialFailure.unless(run < ENOUGH_RUNS, "the rings do not come up");
            bench.tool().start("reconcile").exit();
        }
        String branch = "etcd-gitops/reports/" + bench.namespace();
        String before = bench.git().tip(branch);
        commit(bench, "All of them are to be rolled", rings(bench, "b", false));
        excepted(bench, "waves", "waves: {order: [{matchLabels: {wave: canary}}]}", RINGS - CANARIES);
        excepted(bench, "max-parallel", "max-parallel: {most: 1}", RINGS - 1);
        excepted(bench, "blast-radius", "blast-radius: {most: 5, effect: hold}", RINGS);

        commit(bench, "The window is closed", policy(bench, 12));
        commit(bench, "All of them are to be rolled", rings(bench, "b", true));
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(order(bench, before, branch).isEmpty(), "a ring was changed outside the window");

        commit(bench, "The window is open", policy(bench, 0));
        var exits = new TreeMap<Integer, Integer>();
        boolean mended = false;
        int runs = 0;
        for (;
                runs < ENOUGH_RUNS
                        && bench.tool().start("plan", "--detailed-exitcode").exit() != 0;
                runs++) {
            int exit = bench.tool().start("reconcile").exit();
            exits.merge(exit, 1, Integer::sum);
            if (exit >= 20 && !mended) {
                mended = true;
                commit(bench, "The image is there", rings(bench, "b", false));
            }
        }
        figures.put("runs", runs);
        figures.put("exits", exits.toString());
        TrialFailure.unless(mended, "the ring without an image did not fail");
        judge(order(bench, before, branch), figures);

        commit(bench, "They are to be rolled again", rings(bench, "c", false));
        excepted(bench, "cool-down", "cool-down: {between: 24h}", RINGS);
    }

    /// A rule that holds rings, asked of the plan: as it is, with one ring exempted, and with an exemption that
    /// has expired.
    private static void excepted(Bench bench, String rule, String text, int most) throws Exception {
        commit(bench, "Rules", Map.of("policies/p.yaml", document("Policy", "rules", "  rules:\n    " + text + "\n")));
        TrialFailure.unlessSame("operations held by " + rule, most, held(bench, rule));
        exempt(bench, rule, NOW.plus(Duration.ofDays(20)));
        TrialFailure.unlessSame("operations held by " + rule + " beside an exemption", most - 1, held(bench, rule));
        exempt(bench, rule, NOW.minus(Duration.ofDays(1)));
        TrialFailure.unlessSame("operations held by " + rule + " beside an expired one", most, held(bench, rule));
        bench.git().remove("policies/e.yaml");
        bench.git().remove("policies/p.yaml");
    }

    private static int held(Bench bench, String rule) throws Exception {
        var run = bench.tool().start("plan", "-o", "json");
        // Of forty rings on a busy machine one is slow to answer now and then, and the plan is not whole.
        for (int again = 0; run.exit() == 75 && again < ENOUGH_RUNS; again++) {
            run = bench.tool().start("plan", "-o", "json");
        }
        String json = run.stdout();
        return json.split("\"rule\" ?: ?\"" + rule + "\"", -1).length - 1;
    }

    private static void exempt(Bench bench, String rule, Instant expires) throws Exception {
        commit(bench, "An exemption", Map.of("policies/e.yaml", document("PolicyExemption", "one", """
              rules: [%s]
              rings: [{namespace: %s, name: %s}]
              owner: the trial
              reason: the trial wants it
              ticket: T-1
              created: "%s"
              expires: "%s"
            """.formatted(
                        rule, bench.namespace(), name(RINGS - 1), NOW.minus(Duration.ofDays(30)), expires))));
    }

    private static Map<String, String> policy(Bench bench, int hoursAhead) {
        int hour =
                NOW.plus(Duration.ofHours(hoursAhead)).atOffset(ZoneOffset.UTC).getHour();
        return Map.of(
                "etcd-gitops.yaml",
                new String(Bench.fleet(bench.namespace(), ""), StandardCharsets.UTF_8)
                        + "  limits: {maxParallel: 8, maxFailures: 1}\n",
                "policies/p.yaml",
                document("Policy", "rules", """
                      rules:
                        maintenance-window: {allow: [{schedule: "0 %d * * *", duration: 4h, timeZone: UTC}]}
                        waves:
                          order: [{matchLabels: {wave: canary}}, {matchLabels: {wave: early}}]
                          soak: %ds
                        max-parallel: {most: %d, by: zone}
                    """.formatted(hour, SOAK.toSeconds(), AT_ONCE / 2)));
    }

    private static Map<String, String> rings(Bench bench, String note, boolean broken) {
        var files = new HashMap<String, String>();
        for (int i = 0; i < RINGS; i++) {
            String wave = i < CANARIES ? "canary" : i < EARLY ? "early" : "late";
            String ring = new String(
                    bench.document(
                            name(i),
                            1,
                            broken && i == FAILING ? NOWHERE : bench.options().version(),
                            "  metadata: {annotations: {example.org/note: " + note + "}}\n"),
                    StandardCharsets.UTF_8);
            files.put(
                    "clusters/" + name(i) + ".yaml",
                    ring.replace(
                            "\n  namespace:", "\n  labels: {wave: " + wave + ", zone: z" + i % 2 + "}\n  namespace:"));
        }
        return files;
    }

    private static String name(int number) {
        return "ring-%02d".formatted(number);
    }

    /// By ring what each run did to it, from the runs that were published since, the oldest first.
    private static Map<String, List<Done>> order(Bench bench, String since, String branch) throws Exception {
        var done = new LinkedHashMap<String, List<Done>>();
        var seen = new TreeSet<String>();
        int number = 0;
        for (String commit :
                bench.git().ask("rev-list", "--reverse", since + ".." + branch).split("\\s+")) {
            if (commit.isEmpty()) {
                continue;
            }
            JsonNode run = new ObjectMapper().readTree(bench.git().ask("show", commit + ":latest/run.json"));
            if (!seen.add(run.path("id").asText())) {
                continue;
            }
            number++;
            for (var ring : run.path("clusters")) {
                Instant began = null;
                Instant ended = null;
                for (var step : ring.path("steps")) {
                    if (ROLLS.contains(step.path("kind").asText())) {
                        var start = Instant.parse(step.path("began").asText());
                        began = began == null ? start : began;
                        ended = start.plusMillis(step.path("millis").asLong());
                    }
                }
                if (began != null && ended != null) {
                    done.computeIfAbsent(ring.path("id").asText(), _ -> new ArrayList<>())
                            .add(new Done(
                                    number,
                                    began,
                                    ended,
                                    !ring.path("outcome").asText().equals("done")));
                }
            }
        }
        return done;
    }

    private static void judge(Map<String, List<Done>> order, Figures figures) {
        TrialFailure.unlessSame("rings that were rolled", RINGS, order.size());
        var waves = List.of(wave(order, 0, CANARIES), wave(order, CANARIES, EARLY), wave(order, EARLY, RINGS));
        for (int i = 1; i < waves.size(); i++) {
            var before = waves.get(i - 1).stream()
                    .map(Done::ended)
                    .max(Instant::compareTo)
                    .orElseThrow();
            var after = waves.get(i).stream()
                    .map(Done::began)
                    .min(Instant::compareTo)
                    .orElseThrow();
            figures.put(
                    "soaked" + i + "Seconds", Duration.between(before, after).toSeconds());
            TrialFailure.unless(!after.isBefore(before.plus(SOAK)), "wave " + (i + 1) + " began too early");
        }
        var byRun = new TreeMap<Integer, List<Done>>();
        order.values()
                .forEach(rings -> rings.forEach(d ->
                        byRun.computeIfAbsent(d.run(), _ -> new ArrayList<>()).add(d)));
        byRun.forEach((run, rings) ->
                TrialFailure.unless(rings.size() <= AT_ONCE, "run " + run + " changed " + rings.size() + " rings"));
        figures.put(
                "ringsByRun", byRun.values().stream().map(List::size).toList().toString());
        var failed = byRun.values().stream()
                .filter(r -> r.stream().anyMatch(Done::failed))
                .toList();
        TrialFailure.unlessSame("runs in which one failed", 1, failed.size());
        var end = failed.getFirst().stream()
                .filter(Done::failed)
                .findFirst()
                .orElseThrow()
                .ended();
        TrialFailure.unless(
                failed.getFirst().stream().noneMatch(d -> d.began().isAfter(end)),
                "others were begun after the failure");
    }

    private static List<Done> wave(Map<String, List<Done>> order, int from, int to) {
        var wave = new ArrayList<Done>();
        order.forEach((ring, done) -> {
            int number = Integer.parseInt(ring.substring(ring.length() - 2));
            if (from <= number && number < to) {
                wave.addAll(done);
            }
        });
        return wave;
    }

    private static String document(String kind, String name, String spec) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n"
                + spec;
    }

    private static void commit(Bench bench, String message, Map<String, String> files) throws Exception {
        var bytes = new HashMap<String, byte[]>();
        files.forEach((file, text) -> bytes.put(file, text.getBytes(StandardCharsets.UTF_8)));
        bench.git().commit(message, bytes);
    }
}
