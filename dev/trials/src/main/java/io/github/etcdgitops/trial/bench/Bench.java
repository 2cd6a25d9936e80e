package io.github.etcdgitops.trial.bench;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.etcdgitops.it.ClientAccess;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.LoadWatch;
import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.WriteLoad;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.eclipse.jgit.util.FileUtils;

/// What one trial works with: a namespace of its own, a config repository of its own, and runs of the
/// tool on them.
public final class Bench implements AutoCloseable {
    private static final int ENOUGH_RUNS = 6;

    private final String environment;
    private final KubernetesClient kube;
    private final TrialOptions options;
    private final Path folder;
    private final Git git;
    private final Tool tool;
    private boolean folderKept;
    private final List<String> otherNamespaces = new ArrayList<>();
    private final Map<String, RingTls> certificates = new ConcurrentHashMap<>();
    private final TrialUsers users = new TrialUsers(this);

    public Bench(String trial, KubernetesClient kube, TrialOptions options) throws IOException, InterruptedException {
        this.environment = "trial-" + trial + "-" + UUID.randomUUID().toString().substring(0, 4);
        this.kube = kube;
        this.options = options;
        this.folder = Files.createTempDirectory(environment);
        this.git = new Git(folder);
        this.tool = new Tool(folder, git.url());
        tool.environment("ETCD_GITOPS_PLACES", "file://" + folder.toAbsolutePath());
        git.commit("Begin", Map.of("etcd-gitops.yaml", fleet(environment, "")));
    }

    public String namespace() {
        return environment;
    }

    /// Will be deleted with the trial's own one.
    public void alsoUses(String otherNamespace) {
        otherNamespaces.add(otherNamespace);
    }

    public KubernetesClient kube() {
        return kube;
    }

    /// Who comes over TLS to the ring of this name, if anybody can.
    public RingTls tls(String ring) {
        return certificates.computeIfAbsent(ring, name -> new RingTls(this, name));
    }

    public TrialUsers users() {
        return users;
    }

    /// Whoever comes so may do everything.
    public ClientAccess rootAccess(String ring, boolean secured) {
        return access(ring, secured, users.root(ring));
    }

    /// To a member that is not the ring's, and has its data: with the users of then.
    public LiveRing.Way wayToCopy(String ring, String address) {
        return new LiveRing.Way(address, access(ring, false, users.rootAt(ring, address)));
    }

    private ClientAccess clientAccess(String ring, boolean secured) {
        return access(ring, secured, users.client(ring, secured));
    }

    private ClientAccess access(String ring, boolean secured, SignIn signIn) {
        return new ClientAccess(secured ? tls(ring).tls() : Optional.empty(), List.of(signIn));
    }

    public TrialOptions options() {
        return options;
    }

    public SandboxFaults sandbox() {
        return new SandboxFaults(options.sandbox());
    }

    /// The way to the API server by the relay, whose certificate must be good for 127.0.0.1.
    public Path relayedKubeconfig(Relay relay) throws IOException {
        String direct = kube.getMasterUrl().toString().replaceAll("/$", "");
        String config = Files.readString(Path.of(System.getenv("KUBECONFIG")));
        TrialFailure.unless(config.contains(direct), "KUBECONFIG does not name " + direct);
        String scheme = kube.getMasterUrl().getProtocol();
        return Files.writeString(
                folder.resolve("relayed-kubeconfig"),
                config.replace(direct, scheme + "://" + relay.endpoint().getAuthority()));
    }

    public Path folder() {
        return folder;
    }

    public Git git() {
        return git;
    }

    public Tool tool() {
        return tool;
    }

    /// Commits the ring's document with this size.
    public void ring(String name, int size) throws IOException, InterruptedException {
        git.commit(name + " is to have " + size, Map.of("clusters/" + name + ".yaml", document(name, size)));
    }

    public byte[] document(String name, int size) {
        return document(name, size, options.version(), "");
    }

    /// `more` are further lines of the spec. With `--users` the ring has users, unless these lines say otherwise.
    public byte[] document(String name, int size, String version, String more) {
        return ("""
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata:
              name: %s
              namespace: %s
            spec:
              size: %d
              version: "%s"
              storage:
                size: 1Gi
              podTemplate:
                resources:
                  requests:
                    cpu: 10m
                    memory: 64Mi
                  limits:
                    memory: 512Mi
            """.formatted(name, namespace(), size, version) + (more + users.lines(name, version, more)).indent(2))
                .getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] fleet(String environment, String uid) {
        String pin = uid.isEmpty() ? "" : "      kubeSystemUid: \"" + uid + "\"\n";
        return ("apiVersion: etcdgitops.dev/v1alpha1\nkind: Fleet\nmetadata:\n  name: trial\nspec:\n"
                        + "  environments:\n    - name: " + environment + "\n" + pin + "      paths: [clusters/]\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Commits the ring and runs until it is so.
    public void bringTo(String name, int size, String... more) throws IOException, InterruptedException {
        ring(name, size);
        converge(name, size, more);
    }

    /// Runs as a schedule would until the ring has this size; returns how many runs it took.
    public int converge(String name, int size, String... more) throws IOException {
        Run last = null;
        for (int run = 1; run <= ENOUGH_RUNS; run++) {
            last = tool.start("reconcile", more);
            int exit = last.exit();
            if (exit == 0 && isAtRest(name, size)) {
                return run;
            }
            TrialFailure.unless(List.of(0, 12, 20, 75).contains(exit), "a run ended with " + exit + ": " + last.tail());
        }
        throw new TrialFailure(name + " did not come to " + size + " in " + ENOUGH_RUNS + " runs: "
                + Objects.requireNonNull(last).tail());
    }

    /// The Secrets of users follow a change of TLS in the run after it.
    public void demandNothingToDo() throws IOException {
        if (options.users()) {
            tool.demand(0, "reconcile");
        }
        tool.demand(0, "plan", "--detailed-exitcode");
    }

    /// By the objects and by the members themselves: as many voters as asked for, no change under way, and users where
    /// the document has some.
    public boolean isAtRest(String name, int size) {
        var set = kube.apps()
                .statefulSets()
                .inNamespace(namespace())
                .withName(name)
                .get();
        var journal = kube.configMaps()
                .inNamespace(namespace())
                .withName(name + "-journal")
                .get();
        var voters = new Members(this, name).voters();
        return set != null
                && set.getSpec().getReplicas() == size
                && journal != null
                && journal.getData().values().stream().noneMatch(text -> text.contains("\"intent\" : {"))
                && voters.size() == size
                && users.areReady(name);
    }

    /// A client of the ring, under way.
    public WriteLoad load(String name) {
        return load(name, () -> false);
    }

    /// A client that comes over TLS, with the ring's own certificate, while `secured` says so.
    public WriteLoad load(String name, BooleanSupplier secured) {
        var load = WriteLoad.start(() -> endpoints(name), () -> clientAccess(name, secured.getAsBoolean()));
        EtcdProcess.await("the first writes", Duration.ofMinutes(2), () -> load.acknowledged() > 50);
        return load;
    }

    /// The same with a watch of its keys and a lease beside it.
    public LoadWatch watchedLoad(String name) {
        return watchedLoad(name, false);
    }

    /// `secured` says whether they come over TLS.
    public LoadWatch watchedLoad(String name, boolean secured) {
        var watch = LoadWatch.start(() -> endpoints(name), () -> clientAccess(name, secured));
        EtcdProcess.await(
                "the first writes", Duration.ofMinutes(2), () -> watch.load().acknowledged() > 50);
        return watch;
    }

    /// Where the ring's Service leads.
    private List<String> endpoints(String name) {
        var found = kube.endpoints().inNamespace(namespace()).withName(name).get();
        return found == null || found.getSubsets() == null
                ? List.of()
                : found.getSubsets().stream()
                        .flatMap(s -> s.getAddresses().stream())
                        .map(a -> a.getIp() + ":2379")
                        .toList();
    }

    public static void demand(WriteLoad.Result result, Figures figures, String prefix) {
        demandKept(result, figures, prefix);
        TrialFailure.unless(
                !result.tooFew(), "the load was too small to say anything: " + result.perSecond() + " a second");
    }

    public static void demand(LoadWatch.Result result, Figures figures, String prefix) {
        figures.put(prefix + "watch", result.line());
        figures.put(prefix + "watchResumed", result.resumed());
        demand(result.writes(), figures, prefix);
        TrialFailure.unless(result.isWhole(), "the watch or the lease beside the load: " + result.line());
    }

    /// Of a ring that takes no writes for a while, as it should: how many it took says nothing.
    public static void demandKept(WriteLoad.Result result, Figures figures, String prefix) {
        figures.put(prefix + "acked", result.acked());
        figures.put(prefix + "perSecond", Math.round(result.perSecond()));
        figures.put(prefix + "longestGapMillis", result.longestGap().toMillis());
        figures.put(prefix + "gapAtMillis", result.gapAt().toMillis());
        figures.put(
                prefix + "gaps",
                result.gaps().stream()
                        .map(gap ->
                                gap.length().toMillis() + " ms at " + gap.at().toMillis() + ", the client still "
                                        + gap.still().toMillis())
                        .toList());
        figures.put(prefix + "lost", result.lost().size());
        TrialFailure.unless(
                result.lost().isEmpty(),
                "acknowledged writes are lost: " + result.lost().size());
    }

    /// Takes everything of the ring away, its data too.
    public void erase(String name) {
        erase(namespace(), name);
    }

    public void erase(String namespace, String name) {
        kube.apps().statefulSets().inNamespace(namespace).withName(name).delete();
        kube.configMaps()
                .inNamespace(namespace)
                .withLabel("etcdgitops.dev/cluster", name)
                .delete();
        kube.services()
                .inNamespace(namespace)
                .withLabel("etcdgitops.dev/cluster", name)
                .delete();
        kube.leases().inNamespace(namespace).withName(name + "-etcd-gitops").delete();
        kube.secrets()
                .inNamespace(namespace)
                .withLabel("etcdgitops.dev/cluster", name)
                .delete();
        kube.policy()
                .v1beta1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName(name)
                .delete();
        kube.pods()
                .inNamespace(namespace)
                .withLabel("etcdgitops.dev/cluster", name)
                .withGracePeriod(0)
                .delete();
        EtcdProcess.await(
                "the pods' end",
                Duration.ofMinutes(3),
                () -> none(kube.pods()
                        .inNamespace(namespace)
                        .withLabel("etcdgitops.dev/cluster", name)
                        .list()
                        .getItems()));
        kube.persistentVolumeClaims()
                .inNamespace(namespace)
                .withLabel("etcdgitops.dev/cluster", name)
                .delete();
        EtcdProcess.await(
                "the claims' end",
                Duration.ofMinutes(3),
                () -> none(kube.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .withLabel("etcdgitops.dev/cluster", name)
                        .list()
                        .getItems()));
    }

    private static boolean none(List<? extends HasMetadata> items) {
        return items.isEmpty();
    }

    /// The trial failed: what its runs said is worth reading.
    public void keepFolder() {
        folderKept = true;
    }

    @Override
    public void close() throws IOException {
        if (options.keep()) {
            System.out.println("kept: namespace " + namespace() + ", folder " + folder);
            return;
        }
        if (folderKept) {
            System.out.println("  what its runs said: " + folder.resolve("runs"));
        } else {
            FileUtils.delete(folder.toFile(), FileUtils.RECURSIVE | FileUtils.RETRY);
        }
        kube.namespaces().withName(namespace()).delete();
        otherNamespaces.forEach(name -> kube.namespaces().withName(name).delete());
    }
}
