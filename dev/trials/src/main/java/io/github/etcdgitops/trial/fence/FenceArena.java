package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A fleet of two teams in one repository and one cluster. Team a owns the ring `quiet`, which nobody attacks: each run
/// must reconcile it. Team b owns the ring `own` and tries to get more. On a real cluster the runs are those of an
/// executor that impersonates the teams' accounts, and the admin of team b's namespace has rights there alone.
final class FenceArena implements AutoCloseable {
    static final String QUIET = "quiet";
    static final String OWN = "own";
    static final String MALLORY = "Mallory <mallory@example.org>";

    private static final String CONNECTION = QUIET + "-connection";

    /// A run that ends with one of these has published its results.
    private static final Set<Integer> WELL = Set.of(0, 10, 11, 13, 20, 75);

    private final Bench bench;
    private final Snare snare;
    private final HostileServer server;
    private final BackupPlace place;
    private final Optional<TenantAccounts> accounts;
    private final KubernetesClient admin;
    private final Deque<Figures.Act> undo = new ArrayDeque<>();
    private final Map<String, String> environment = new TreeMap<>();
    private Optional<String> repository = Optional.empty();
    private String base = "";
    private int forks;

    FenceArena(Bench bench, Snare snare, HostileServer server) throws Exception {
        this.bench = bench;
        this.snare = snare;
        this.server = server;
        this.place = BackupPlace.directory("nightly", bench.folder().resolve("backups"));
        boolean withRights = bench.options().sandbox().isEmpty();
        if (withRights) {
            var all = new TenantAccounts(bench, List.of("a", "b", "c"));
            accounts = Optional.of(all);
            admin = all.admin("b");
            bench.tool().environment("KUBECONFIG", all.executor());
        } else {
            accounts = Optional.empty();
            admin = bench.kube();
            // In that of the reconciler runs remember what they accepted.
            for (String namespace : List.of(victims(), attackers(), "etcd-gitops")) {
                bench.alsoUses(namespace);
                kube().resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(namespace)
                                .endMetadata()
                                .build())
                        .create();
            }
        }
    }

    Bench bench() {
        return bench;
    }

    /// Of the trial, which may see and tidy up everything.
    KubernetesClient kube() {
        return bench.kube();
    }

    /// Of the admin of team b's namespace.
    KubernetesClient admin() {
        return admin;
    }

    /// A server that the operator has allowed for backups of team b.
    HostileServer server() {
        return server;
    }

    /// The next run has this in its environment.
    void runs(String variable, String value) {
        environment.put(variable, value);
    }

    /// The next run reads this repository instead.
    void reads(String url) {
        repository = Optional.of(url);
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
        return bench.namespace() + "-a";
    }

    /// The namespace of team b.
    String attackers() {
        return bench.namespace() + "-b";
    }

    /// The namespace of team c, which has no ring.
    String third() {
        return bench.namespace() + "-c";
    }

    /// Founds the rings of both teams and takes one backup of team a's.
    void open() throws Exception {
        credentials();
        var files = new LinkedHashMap<String, byte[]>();
        files.put("etcd-gitops.yaml", FenceFleet.document(bench.namespace(), place, accounts));
        files.put("clusters/team-a/quiet.yaml", ring(QUIET, victims(), ""));
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
        credentials(folder.resolve("storage"), "s3://team-a/ endpoint=https://minio.invalid\ngs://team-a/\n");
        credentials(
                folder.resolve("loot"),
                "s3://loot/ endpoint=" + server.url() + "\ns3://loot/ endpoint=https://store.example.org\n");
        bench.tool().environment("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString());
        bench.tool().environment("ETCD_GITOPS_PLACES", "file://" + place.folder() + ";file://" + place.folder() + "-b");
    }

    private static void credentials(Path set, String places) throws IOException {
        Files.createDirectories(set);
        Files.writeString(set.resolve("access-key-id"), "AKID");
        Files.writeString(set.resolve("secret-access-key"), "secret");
        Files.writeString(set.resolve("session-token"), "token");
        Files.writeString(set.resolve("places"), places);
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

    /// Puts a policy of team b into the work tree that sends backups of a namespace's rings somewhere. `destination` is
    /// YAML.
    void backsUp(String namespace, String destination) throws IOException {
        write("policies/team-b/loot.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: team-b-loot}
            spec:
              clusters: {namespaces: [%s]}
              every: 1h
              destination:
                %s
            """.formatted(namespace, destination));
    }

    /// The bucket `loot` at an endpoint, with a credential set.
    static String bucket(Object endpoint, String set) {
        return "s3: {bucket: loot, endpoint: \"" + endpoint + "\", pathStyle: true, credentialsRef: {name: " + set
                + "}}";
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

    /// Makes the move and one run, and demands that the attack was stopped and that team a was served all the same.
    void withstand(Attack attack) throws Exception {
        try {
            disturb();
            attack.move().play(this);
            var run = attack.party() == Attack.Party.FORK ? judge(attack) : reconcile(attack);
            int exit = run.exit();
            TrialFailure.unless(
                    run.log().contains(attack.fence()),
                    "the run does not say \"" + attack.fence() + "\": "
                            + run.log().strip());
            attack.proof().demand(this, run);
            snare.demandEmpty();
            if (attack.endsRun()) {
                TrialFailure.unless(exit != 0 && exit != 1, "the run ended with " + exit + ": " + run.tail());
            } else {
                TrialFailure.unless(WELL.contains(exit), "the run ended with " + exit + ": " + run.tail());
                demandServed(attack.party() == Attack.Party.FORK ? demandRun() : run);
            }
        } finally {
            tidy();
        }
    }

    private Run reconcile(Attack attack) throws Exception {
        bench.git().commitAs("main", attack.name(), MALLORY);
        return repository.isEmpty()
                ? bench.tool().start(environment, "reconcile")
                : bench.tool()
                        .bare(environment, "reconcile", "--repo", repository.get(), "--environment", bench.namespace());
    }

    /// Judges the pull request of a fork by the documents and policies of the main branch, which stays as it is.
    private Run judge(Attack attack) throws Exception {
        String fork = "fork-" + ++forks;
        bench.git().commitAs(fork, attack.name(), MALLORY);
        bench.git().reset(base);
        var run = bench.tool()
                .start(
                        "plan",
                        "--offline",
                        "--ref",
                        fork,
                        "--base",
                        "main",
                        "--base-policies",
                        "--environment",
                        bench.namespace());
        run.exit();
        return run;
    }

    private Run demandRun() throws Exception {
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(WELL.contains(run.exit()), "the run of the main branch failed: " + run.tail());
        return run;
    }

    private void tidy() throws Exception {
        environment.clear();
        repository = Optional.empty();
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        for (String namespace : List.of(victims(), attackers())) {
            kube().apps().statefulSets().inNamespace(namespace).withName("loot").delete();
        }
        bench.git().reset(base);
    }

    /// Takes a ring of team a away that was founded beside an attack.
    void erase(String ring) {
        bench.erase(victims(), ring);
    }

    /// As its journal has it.
    String clusterId(String namespace, String ring) {
        String journal = kube().configMaps()
                .inNamespace(namespace)
                .withName(ring + "-journal")
                .get()
                .getData()
                .get("journal.json");
        return journal.replaceAll("(?s).*\"clusterId\" : \"([0-9a-f]+)\".*", "$1");
    }

    /// Somebody deletes an object of the attackers' own ring, so that there is something to be done for it.
    void disturbAttackers() {
        admin().configMaps()
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

    @Override
    public void close() throws Exception {
        if (accounts.isPresent()) {
            admin.close();
            accounts.get().close();
        }
    }
}
