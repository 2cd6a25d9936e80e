package io.github.etcdgitops.trial;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.etcdgitops.trial.auth.UsersTrial;
import io.github.etcdgitops.trial.backup.BackupFaultsTrial;
import io.github.etcdgitops.trial.backup.BackupFleetTrial;
import io.github.etcdgitops.trial.backup.BackupSpeedTrial;
import io.github.etcdgitops.trial.backup.BackupsTrial;
import io.github.etcdgitops.trial.backup.DeletionTrial;
import io.github.etcdgitops.trial.backup.QuorumTrial;
import io.github.etcdgitops.trial.backup.RestoresTrial;
import io.github.etcdgitops.trial.backup.SchedulesTrial;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.TrialOptions;
import io.github.etcdgitops.trial.change.AdoptTrial;
import io.github.etcdgitops.trial.change.AuthorityTrial;
import io.github.etcdgitops.trial.change.BoundariesTrial;
import io.github.etcdgitops.trial.change.CertManagerTrial;
import io.github.etcdgitops.trial.change.CertificatesTrial;
import io.github.etcdgitops.trial.change.DowngradesTrial;
import io.github.etcdgitops.trial.change.EvictionTrial;
import io.github.etcdgitops.trial.change.FeaturesTrial;
import io.github.etcdgitops.trial.change.GrowTrial;
import io.github.etcdgitops.trial.change.KillsTrial;
import io.github.etcdgitops.trial.change.LeftVolumesTrial;
import io.github.etcdgitops.trial.change.OutageTrial;
import io.github.etcdgitops.trial.change.RefusalsTrial;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.change.TlsBoundariesTrial;
import io.github.etcdgitops.trial.change.TlsTrial;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.change.WavesTrial;
import io.github.etcdgitops.trial.cluster.DeployedBackupsTrial;
import io.github.etcdgitops.trial.cluster.DeployedTrial;
import io.github.etcdgitops.trial.cluster.ImpersonatedTrial;
import io.github.etcdgitops.trial.cluster.OverlaysTrial;
import io.github.etcdgitops.trial.cluster.RightsTrial;
import io.github.etcdgitops.trial.fence.FencesTrial;
import io.github.etcdgitops.trial.fence.Rights;
import io.github.etcdgitops.trial.forge.PullRequestTrial;
import io.github.etcdgitops.trial.forge.SecretsTrial;
import io.github.etcdgitops.trial.repair.ClaimsTrial;
import io.github.etcdgitops.trial.repair.CutOffTrial;
import io.github.etcdgitops.trial.repair.DeadEndsTrial;
import io.github.etcdgitops.trial.repair.DefragmentTrial;
import io.github.etcdgitops.trial.repair.HandsTrial;
import io.github.etcdgitops.trial.repair.HealTrial;
import io.github.etcdgitops.trial.repair.InspectTrial;
import io.github.etcdgitops.trial.repair.IsolatedTrial;
import io.github.etcdgitops.trial.repair.LostInJoinTrial;
import io.github.etcdgitops.trial.repair.MachinesTrial;
import io.github.etcdgitops.trial.repair.RepairBoundariesTrial;
import io.github.etcdgitops.trial.repair.ReplaceTrial;
import io.github.etcdgitops.trial.repair.SecondFaultsTrial;
import io.github.etcdgitops.trial.repair.SpaceTrial;
import io.github.etcdgitops.trial.repair.TwoFaultsTrial;
import io.github.etcdgitops.trial.repair.VolumesTrial;
import io.github.etcdgitops.trial.run.ClocksTrial;
import io.github.etcdgitops.trial.run.CombinedTrial;
import io.github.etcdgitops.trial.run.DocumentsTrial;
import io.github.etcdgitops.trial.run.FleetTrial;
import io.github.etcdgitops.trial.run.FrozenTrial;
import io.github.etcdgitops.trial.run.JunkTrial;
import io.github.etcdgitops.trial.run.PoliciesTrial;
import io.github.etcdgitops.trial.run.ReportsTrial;
import io.github.etcdgitops.trial.run.ServeTrial;
import io.github.etcdgitops.trial.run.ShardsTrial;
import io.github.etcdgitops.trial.run.TwoTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/// What is promised, shown on a real Kubernetes: `dev/cluster-trials [NAME…]`. See docs/trials.md.
public final class ClusterTrials {
    private static final List<Trial> ALL = List.of(
            new ResizeTrial(),
            new HealTrial(),
            new ClaimsTrial(),
            new EvictionTrial(),
            new TwoTrial(),
            new FrozenTrial(),
            new ClocksTrial(),
            new TwoFaultsTrial(),
            new SecondFaultsTrial(),
            new DeadEndsTrial(),
            new RightsTrial(),
            new ServeTrial(),
            new ReportsTrial(),
            new DocumentsTrial(),
            new BackupsTrial(),
            new SchedulesTrial(),
            new BackupFaultsTrial(),
            new RestoresTrial(),
            new UpgradesTrial(),
            new DowngradesTrial(),
            new GrowTrial(),
            new LeftVolumesTrial(),
            new VolumesTrial(),
            new ReplaceTrial(),
            new HandsTrial(),
            new MachinesTrial(),
            new CutOffTrial(),
            new DeletionTrial(),
            new QuorumTrial(),
            new InspectTrial(),
            new SpaceTrial(),
            new DefragmentTrial(),
            new RepairBoundariesTrial(),
            new TlsTrial(),
            new CertificatesTrial(),
            new AdoptTrial(),
            new AuthorityTrial(),
            new UsersTrial(),
            new CombinedTrial(),
            new RefusalsTrial(),
            new FeaturesTrial(),
            new PoliciesTrial(),
            new WavesTrial(),
            new PullRequestTrial(),
            new SecretsTrial(),
            new FencesTrial(),
            new JunkTrial(),
            new ImpersonatedTrial(),
            new CertManagerTrial(),
            new KillsTrial(),
            new BoundariesTrial(),
            new TlsBoundariesTrial(),
            new IsolatedTrial(),
            new OutageTrial(),
            new LostInJoinTrial(),
            new FleetTrial(),
            new BackupFleetTrial(),
            new BackupSpeedTrial(),
            new ShardsTrial(),
            new DeployedTrial(),
            new DeployedBackupsTrial(),
            new OverlaysTrial());

    /// Only when asked for: they fill a machine, or make resources of a new kind, which a sandbox does
    /// not serve and an API server of 1.20 may die of.
    private static final List<String> ON_REQUEST =
            List.of("cert-manager", "clocks", "waves", "fleet", "backup-fleet", "backup-speed", "shards");

    /// Without names, `--quick` leaves these out.
    private static final List<String> NOT_QUICK = List.of("claims", "documents", "outage");

    /// These need faults that only a sandbox has.
    private static final List<String> SANDBOX = List.of(
            "isolated",
            "two-faults",
            "second-faults",
            "dead-ends",
            "lost-in-join",
            "backup-faults",
            "inspect",
            "machines",
            "pull-request",
            "secrets");

    /// These need rights that are enforced, which a sandbox does not.
    private static final List<String> REAL = List.of("impersonated");

    /// These ask the machine's own network for faults.
    private static final List<String> ROOT = List.of("cut-off");

    /// These need an image.
    private static final List<String> DEPLOYED = List.of("deployed", "deployed-backups", "overlays");

    /// These can run with `--users`. The others make rings of their own kind, ask members as nobody, or look at
    /// something else than rings.
    private static final List<String> WITH_USERS = List.of(
            "resize",
            "eviction",
            "backups",
            "restores",
            "upgrades",
            "downgrades",
            "grow",
            "left-volumes",
            "volumes",
            "replace",
            "hands",
            "deletion",
            "quorum",
            "inspect",
            "space",
            "defragment",
            "tls",
            "certificates",
            "authority",
            "combined",
            "features");

    private ClusterTrials() {}

    public static void main(String[] arguments) throws Exception {
        var options = new TrialOptions();
        var line = new CommandLine(options);
        if (!parsed(line, arguments)) {
            return;
        }
        var unknown = new ArrayList<>(options.names());
        unknown.removeAll(ALL.stream().map(Trial::name).toList());
        if (!unknown.isEmpty()) {
            System.err.println("no such trials: " + unknown + "; there are "
                    + ALL.stream().map(Trial::name).toList());
            System.exit(64);
        }
        var without = new ArrayList<>(options.names());
        without.removeAll(WITH_USERS);
        if (options.users() && !without.isEmpty()) {
            System.err.println("no trials with --users: " + without + "; there are " + WITH_USERS);
            System.exit(64);
        }
        var report = new LinkedHashMap<String, Object>();
        boolean passed = true;
        try (var kube = client()) {
            for (var trial : ALL.stream().filter(t -> chosen(t, options)).toList()) {
                passed &= one(trial, kube, options, report);
            }
        }
        if (options.report().isPresent()) {
            write(options.report().get(), report);
        }
        System.exit(passed ? 0 : 1);
    }

    /// False when help was all that was asked for.
    private static boolean parsed(CommandLine line, String... arguments) {
        try {
            line.parseArgs(arguments);
        } catch (CommandLine.ParameterException e) {
            System.err.println(e.getMessage());
            System.exit(64);
        }
        return !CommandLine.printHelpIfRequested(line.getParseResult());
    }

    /// Without retries: the client would otherwise hide a refused eviction behind ten more of them.
    private static KubernetesClient client() {
        var config = Config.autoConfigure(null);
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static boolean chosen(Trial trial, TrialOptions options) {
        return options.names().isEmpty()
                ? !ON_REQUEST.contains(trial.name())
                        && (System.getProperty("user.name").equals("root") || !ROOT.contains(trial.name()))
                        && (options.image().isPresent() || !DEPLOYED.contains(trial.name()))
                        && (options.sandbox().isEmpty() || !REAL.contains(trial.name()))
                        && (options.sandbox().isPresent() && !options.quick() || !SANDBOX.contains(trial.name()))
                        && (!options.quick() || !NOT_QUICK.contains(trial.name()))
                        && (!options.users() || WITH_USERS.contains(trial.name()))
                : options.names().contains(trial.name());
    }

    private static boolean one(Trial trial, KubernetesClient kube, TrialOptions options, Map<String, Object> report)
            throws IOException, InterruptedException {
        var figures = new Figures();
        long began = System.nanoTime();
        String failure = "";
        try (var bench = new Bench(trial.name(), kube, options)) {
            try {
                trial.run(bench, figures);
                Rights.demandAll(bench.tool().allMetrics());
            } catch (Exception | AssertionError e) {
                failure = e instanceof TrialFailure ? String.valueOf(e.getMessage()) : e.toString();
                report.put(trial.name() + ".failure", failure);
                bench.keepFolder();
            }
        }
        figures.put("seconds", ResizeTrial.seconds(began));
        report.put(trial.name(), figures.toMap());
        System.out.println((failure.isEmpty() ? "PASS " : "FAIL ") + trial.name() + " " + figures.line());
        if (!failure.isEmpty()) {
            System.out.println("  because: " + failure.strip().replace("\n", "\n  "));
        }
        return failure.isEmpty();
    }

    private static void write(Path file, Map<String, Object> report) throws IOException {
        Files.writeString(
                file,
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report) + "\n");
    }
}
