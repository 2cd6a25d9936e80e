package io.github.etcdgitops.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A fleet of two teams in one repository and one cluster. Team a owns the ring `quiet`, which nobody attacks: each run
/// must reconcile it. Team b owns the ring `own` and tries to get more.
final class FenceArena {
    static final String QUIET = "quiet";
    static final String OWN = "own";

    private static final String CONNECTION = QUIET + "-connection";

    /// A run that ends with one of these has published its results.
    private static final Set<Integer> WELL = Set.of(0, 10, 11, 13, 20, 75);

    private final Bench bench;
    private final Snare snare;
    private final BackupPlace place;
    private final Deque<Figures.Act> undo = new ArrayDeque<>();
    private String base = "";

    FenceArena(Bench bench, Snare snare, BackupPlace place) {
        this.bench = bench;
        this.snare = snare;
        this.place = place;
    }

    Bench bench() {
        return bench;
    }

    KubernetesClient kube() {
        return bench.kube();
    }

    /// A server of the attacker's, on loopback, that nobody may call.
    Snare snare() {
        return snare;
    }

    /// Where the backups of team a are.
    BackupPlace place() {
        return place;
    }

    /// The namespace of team a.
    String victims() {
        return bench.namespace();
    }

    /// The namespace of team b.
    String attackers() {
        return bench.namespace() + "-b";
    }

    /// Founds the rings of both teams and takes one backup of team a's.
    void open() throws Exception {
        bench.alsoUses(attackers());
        credentials();
        for (String namespace : List.of(victims(), attackers())) {
            kube().resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
        var files = new LinkedHashMap<String, byte[]>();
        files.put("etcd-gitops.yaml", FenceFleet.document(bench.namespace(), victims(), attackers(), place));
        files.put("clusters/team-a/quiet.yaml", bench.document(QUIET, 1));
        files.put("clusters/team-b/own.yaml", ring(OWN, attackers(), ""));
        files.put("policies/nightly.yaml", place.document(victims(), "  every: 24h\n"));
        bench.git().commit("Two teams", files);
        for (int run = 1; run <= 4 && !(founded(victims(), QUIET) && founded(attackers(), OWN)); run++) {
            bench.tool().demand(0, "reconcile");
        }
        TrialFailure.unless(founded(victims(), QUIET) && founded(attackers(), OWN), "the rings are not founded");
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(place.backups() > 0, "there is no backup of team a");
        base = bench.git().ask("rev-parse", "main");
    }

    /// The operator's keys, for a store of team a's that no attack names.
    private void credentials() throws IOException {
        Path folder = bench.folder().resolve("credentials");
        Path set = Files.createDirectories(folder.resolve("storage"));
        Files.writeString(set.resolve("access-key-id"), "AKID");
        Files.writeString(set.resolve("secret-access-key"), "secret");
        Files.writeString(set.resolve("session-token"), "token");
        Files.writeString(set.resolve("places"), "s3://team-a/ endpoint=https://minio.invalid\ngs://team-a/\n");
        bench.tool().environment("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString());
        bench.tool().environment("ETCD_GITOPS_PLACES", "file://" + place.folder() + ";file://" + place.folder() + "-b");
    }

    /// Whether there is a StatefulSet of that name.
    boolean founded(String namespace, String name) {
        return kube().apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .withName(name)
                        .get()
                != null;
    }

    /// The document of a ring of one; `more` are further lines of its spec.
    byte[] ring(String name, String namespace, String more) {
        return new String(bench.document(name, 1, bench.options().version(), more), UTF_8)
                .replace("namespace: " + bench.namespace(), "namespace: " + namespace)
                .getBytes(UTF_8);
    }

    /// Puts a file into the work tree of the contributor.
    void write(String file, String text) throws IOException {
        write(file, text.getBytes(UTF_8));
    }

    void write(String file, byte[] bytes) throws IOException {
        Path path = bench.git().work().resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, bytes);
    }

    /// What has to be done before the next attack; the last comes first.
    void afterwards(Figures.Act act) {
        undo.push(act);
    }

    /// Judges a pull request from a fork, by the documents and policies of the main branch alone, and demands that the
    /// words are in the answer.
    void judgeFork(Map<String, String> files, List<String> words) throws Exception {
        for (var file : files.entrySet()) {
            write(file.getKey(), file.getValue());
        }
        bench.git().commitAs("fork", "A pull request", "Mallory <mallory@example.org>");
        bench.git().reset(base);
        var run = bench.tool()
                .start(
                        "plan",
                        "--offline",
                        "--ref",
                        "fork",
                        "--base",
                        "main",
                        "--base-policies",
                        "--environment",
                        bench.namespace());
        int exit = run.exit();
        TrialFailure.unless(exit != 1, "the plan of a fork ended with 1: " + run.tail());
        demandWords(run, words);
    }

    /// Makes the move and one run, and demands that the attack was stopped and that team a was served all the same.
    void withstand(Attack attack) throws Exception {
        try {
            disturb();
            attack.move().play(this);
            bench.git().commitAs("main", attack.name(), "Mallory <mallory@example.org>");
            var run = bench.tool().start("reconcile");
            int exit = run.exit();
            demandWords(run, attack.stops());
            attack.proof().demand(this, run);
            snare.demandEmpty();
            if (attack.endsRun()) {
                TrialFailure.unless(exit != 0 && exit != 1, "the run ended with " + exit + ": " + run.tail());
            } else {
                TrialFailure.unless(WELL.contains(exit), "the run ended with " + exit + ": " + run.tail());
                demandServed(run);
            }
        } finally {
            while (!undo.isEmpty()) {
                undo.pop().run();
            }
            for (String namespace : List.of(victims(), attackers())) {
                kube().apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .withName("loot")
                        .delete();
            }
            bench.git().reset(base);
        }
    }

    /// Somebody deletes an object of the attackers' own ring, so that there is something to be done for it.
    void disturbAttackers() {
        kube().configMaps()
                .inNamespace(attackers())
                .withName(OWN + "-connection")
                .delete();
    }

    /// Somebody deletes an object of the ring that nobody attacks: the run is to bring it back.
    private void disturb() {
        kube().configMaps().inNamespace(victims()).withName(CONNECTION).delete();
    }

    private void demandServed(Run run) {
        TrialFailure.unless(
                kube().configMaps().inNamespace(victims()).withName(CONNECTION).get() != null,
                "the ring of team a was not reconciled: " + run.tail());
    }

    private static void demandWords(Run run, List<String> words) {
        String said = run.log();
        words.forEach(word -> TrialFailure.unless(
                said.contains(word),
                "the run does not say \"" + word + "\": " + run.log().strip()));
    }
}
