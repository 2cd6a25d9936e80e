package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Version;
import io.github.etcdgitops.doctor.exam.ClusterExam;
import io.github.etcdgitops.doctor.exam.GitExam;
import io.github.etcdgitops.doctor.exam.MemberExam;
import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.execute.Executor;
import io.github.etcdgitops.execute.Stopped;
import io.github.etcdgitops.execute.backup.Backups;
import io.github.etcdgitops.execute.handlers.Handlers;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.lease.Timepiece;
import io.github.etcdgitops.execute.progress.OperationEvents;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.gateway.etcd.RingIdentities;
import io.github.etcdgitops.gateway.kube.Fabric8Gateway;
import io.github.etcdgitops.gateway.kube.Fabric8RestoreJobs;
import io.github.etcdgitops.gateway.kube.Fabric8RingSecrets;
import io.github.etcdgitops.gateway.kube.Fabric8RingVolumes;
import io.github.etcdgitops.gateway.kube.ServerProbe;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.tunnel.PodRoutes;
import io.github.etcdgitops.gateway.kube.write.EventObjects;
import io.github.etcdgitops.gateway.kube.write.ShardConfigMaps;
import io.github.etcdgitops.gateway.kube.write.WatermarkConfigMaps;
import io.github.etcdgitops.gateway.store.Stores;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.gateway.store.credential.AgeIdentities;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.pipeline.FleetView;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.Watermark;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.LikeCaller;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import io.github.etcdgitops.plan.ClockDoubt;
import io.github.etcdgitops.receive.RemoteReceiver;
import io.github.etcdgitops.report.table.RetainedTable;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// The composition root: the only place that creates adapters, reads the clock and really waits.
public final class Wiring implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KubeConnection connection;
    private final KubernetesGateway kube;
    private final RingSecrets secrets;
    private final RingVolumes volumes;
    private final EtcdGateway etcd;
    private final MemberAccess access;
    private final Observer observer;
    private final LikeCaller askers = new LikeCaller("member");

    private final BackupStores stores;
    private final InstantSource clock = Surface.clock();
    private final Supplier<Optional<String>> ending;
    private final Options.Cluster options;
    private final Map<String, String> environment;

    private Wiring(Options.Cluster options, Map<String, String> environment, Supplier<Optional<String>> ending) {
        this.options = options;
        this.ending = ending;
        this.environment = environment;
        this.connection = KubeConnection.open(settings(options), environment);
        connection.act(options.rights(Optional.empty()));
        this.kube = new Fabric8Gateway(connection);
        this.secrets = new Fabric8RingSecrets(connection);
        this.volumes = new Fabric8RingVolumes(connection);
        this.etcd = new JetcdGateway(new RingIdentities(secrets, secrets.passwords(), clock));
        this.access = new PodRoutes(connection, accessMode(options.memberAccess));
        this.stores = stores(environment);
        this.observer = new Observer(kube, volumes, etcd, access, askers);
    }

    /// For read-only commands.
    public static Wiring open(Options.Cluster options, Map<String, String> environment) {
        return new Wiring(options, environment, Optional::empty);
    }

    public static Wiring open(Options.Cluster options, Map<String, String> environment, ShutdownSignal ending) {
        return new Wiring(options, environment, ending::wish);
    }

    public static BackupStores stores(Map<String, String> environment) {
        return new Stores(environment, Surface.clock());
    }

    public static ObjectEncoding encodings(Map<String, String> environment) {
        return new Encoded(new AgeIdentities(environment));
    }

    /// For an etcd in the same pod, without TLS.
    public static EtcdGateway beside() {
        return new JetcdGateway();
    }

    private static KubeConnection.Settings settings(Options.Cluster options) {
        var settings = KubeConnection.Settings.DEFAULT.withNamespaces(options.namespaces);
        if (options.kubeconfig != null) {
            settings = settings.withKubeconfig(options.kubeconfig);
        }
        return options.context == null ? settings : settings.withContext(options.context);
    }

    private static MemberAccessMode accessMode(String text) {
        return MemberAccessMode.parse(text)
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--member-access takes auto, pod-ip or port-forward, not '" + text + "'"));
    }

    /// Eight new random hexadecimal digits.
    public static String random() {
        byte[] bytes = new byte[4];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// The environment of the run, after comparing its Kubernetes cluster with the one on record in the
    /// Fleet.
    public String environment(Source source, Options.Repository repository) {
        var fleet = source.desired().fleet();
        String name = Environments.ofRun(repository.environment(), fleet);
        acting(source.desired());
        Environments.requireKubernetes(name, fleet, kube.clusterUid());
        return name;
    }

    /// Asks which cluster this is, so that the answer is there when it is needed.
    void identify() {
        kube.clusterUid();
    }

    public DesiredState acting(DesiredState desired) {
        connection.act(options.rights(Optional.of(desired)));
        return desired;
    }

    public Instant now() {
        return clock.instant();
    }

    public FleetView view() {
        return view(clock, () -> ClockDoubt.ofServer(kube.serverTime(), clock.instant()));
    }

    /// At the time of this clock.
    public FleetView view(InstantSource asOf) {
        return view(asOf, Optional::empty);
    }

    private FleetView view(InstantSource at, Supplier<Optional<String>> doubt) {
        return new FleetView(observer, stores, at, Version.tool(), options.restraints(kube), doubt, loading()::unable);
    }

    /// What is retained of deleted rings.
    public RetainedTable retained() {
        return RetainedTable.of(kube.list(_ -> true));
    }

    /// A ring that was created without etcd-gitops.
    public ClusterState foreign(ClusterRef ref) {
        return observer.foreign(ref);
    }

    /// Rights are checked in the namespaces where rings are searched.
    public ClusterFacts examineCluster(GitFacts git) {
        var rights = options.rights(git.documents().optional());
        connection.act(rights);
        var exam = new ClusterExam(new ServerProbe(connection), kube, clock);
        return exam.look(connection.described(), options.namespaces, options.reconcilerNamespace, git, rights);
    }

    public Fact<MemberFacts> examineMembers(GitFacts git) {
        return new MemberExam(kube, etcd, access).look(git);
    }

    public static GitExam gitExam(GitExam.Wanted wanted) {
        return new GitExam(wanted, Retry.standard(Surface::pause));
    }

    /// The report branch, for pages beside the report of runs.
    public ReportBranch pages(Source source) {
        return new ReportBranch(
                source.publisher(Retry.standard(Surface::pause)), clock, kube.clusterUid(), _ -> {}, Optional::empty);
    }

    /// Publishes where there is a mark of the accepted commit.
    public Reconciliation reconciliation(Source source, Progress progress, Optional<Watermark> publishing) {
        var publisher = source.publisher(Retry.standard(Surface::pause));
        var report = publishing.map(
                mark -> new ReportBranch(publisher, clock, kube.clusterUid(), progress::say, mark::overtaken));
        var told = new OperationEvents(new EventObjects(connection, clock));
        int permits = source.desired().fleet().limits().maxParallelBackups();
        return new Reconciliation(
                surroundings(new Backups(
                        stores, encodings(environment), new Semaphore(permits), Version.tool(), progress::moved)),
                observer,
                view(),
                report,
                options.reconcilerNamespace,
                ref -> StepListener.both(progress.of(ref), told),
                ending);
    }

    public ShardedRun.Surroundings shards(ShardedRun.Patience patience) {
        return new ShardedRun.Surroundings(
                new ShardConfigMaps(connection, options.reconcilerNamespace), Surface::pause, clock, patience);
    }

    public Watermarks watermarks() {
        return new WatermarkConfigMaps(connection, options.reconcilerNamespace);
    }

    /// Requests to the API server so far, by kind.
    public SortedMap<String, Long> apiCalls() {
        return connection.apiCalls();
    }

    /// The image is looked up only before a pod is created with it, and may be unknown until then.
    private ImageOrder loading() {
        var jobs = new Fabric8RestoreJobs(connection);
        return new ImageOrder(jobs, new RemoteReceiver(access), () -> OwnImage.of(options.image, environment, jobs));
    }

    private Executor.Surroundings surroundings(Backups backups) {
        return new Executor.Surroundings(
                new Executor.Gateways(kube, secrets, volumes, etcd, access, new Handlers(backups, loading())),
                Timepiece.of(clock, System::nanoTime),
                this::pauseUnlessEnding,
                Wiring::random,
                LeaseHolderName.self(environment),
                holder -> LeaseHolderName.gone(holder, environment, kube),
                KillAt.of(environment));
    }

    /// Waiting for a ring does not delay a process that must end.
    private void pauseUnlessEnding(Duration duration) {
        Surface.pause(duration);
        ending.get().ifPresent(reason -> {
            throw new Stopped(reason);
        });
    }

    @Override
    public void close() {
        askers.close();
        access.close();
        etcd.close();
        kube.close();
        connection.close();
    }
}
