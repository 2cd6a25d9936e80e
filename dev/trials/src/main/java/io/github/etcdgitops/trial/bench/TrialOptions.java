package io.github.etcdgitops.trial.bench;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command line of the trials.
@Command(
        name = "cluster-trials",
        mixinStandardHelpOptions = true,
        description = "Shows on the Kubernetes of KUBECONFIG what etcd-gitops promises. See docs/trials.md.")
public final class TrialOptions {
    private static final String NEWEST = "3.5.30";

    @Parameters(paramLabel = "NAME", description = "Trials to run; all that the cluster can show, without any.")
    private List<String> names = List.of();

    @Option(names = "--etcd", paramLabel = "VERSION", defaultValue = "3.5.16", description = "Version of etcd.")
    private String version = "";

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the random moments of an earlier run.")
    private long seed = System.nanoTime();

    @Option(names = "--kills", paramLabel = "N", defaultValue = "30", description = "Runs that kills ends at work.")
    private int kills;

    @Option(
            names = "--every",
            paramLabel = "N",
            defaultValue = "1",
            description = "Ends runs at every Nth boundary only.")
    private int every;

    @Option(
            names = "--from",
            paramLabel = "SIZE",
            defaultValue = "3",
            description = "The smaller size of kills, boundaries, upgrades, downgrades, tls and authority; the size of"
                    + " backup-speed's ring.")
    private int from;

    @Option(
            names = "--to",
            paramLabel = "SIZE",
            defaultValue = "5",
            description = "The greater size of kills, boundaries, upgrades, downgrades, tls and authority.")
    private int to;

    @Option(names = "--rings", paramLabel = "N", defaultValue = "200", description = "Rings of fleet and backup-fleet.")
    private int rings;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = DataSize.Converter.class,
            defaultValue = "1GiB",
            description = "Of the database of backup-speed.")
    private DataSize size = DataSize.of("1GiB");

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Turns of backup-speed.")
    private int rounds;

    @Option(
            names = "--quick",
            description = "One kill, one boundary of each operation, one size; no claims, documents or outage.")
    private boolean quick;

    @Option(names = "--users", description = "Every ring has authentication, and the trial's clients are its users.")
    private boolean users;

    @Option(names = "--keep", description = "Leaves namespaces and folders as they are.")
    private boolean keep;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes all figures as JSON.")
    private Optional<Path> report = Optional.empty();

    @Option(names = "--sandbox", paramLabel = "DIR", description = "The sandbox that KUBECONFIG belongs to.")
    private Optional<Path> sandbox = Optional.empty();

    @Option(
            names = "--image",
            paramLabel = "REF",
            description = "The reconciler's image, which the cluster has: deployed needs it; shards uses it.")
    private Optional<String> image = Optional.empty();

    public List<String> names() {
        return names;
    }

    public String version() {
        return version;
    }

    /// The version, to compare it with others. Fails for a pre-release.
    public EtcdVersion etcd() {
        return EtcdVersion.parse(version).orElseThrow();
    }

    /// The version of rings that need the newest patch of 3.5, or a later minor version.
    public String newest() {
        return later() ? version : NEWEST;
    }

    /// A version from which rings are upgraded to [#newest].
    public String before() {
        return !later() ? "3.5.16" : etcd().minor() == 6 ? NEWEST : "3.6.14";
    }

    private boolean later() {
        return etcd().compareTo(EtcdVersion.parse(NEWEST).orElseThrow()) > 0;
    }

    /// A release of the same minor version that no registry has.
    public String notThere() {
        return etcd().minorName() + ".98";
    }

    public long seed() {
        return seed;
    }

    public int kills() {
        return quick ? 1 : kills;
    }

    public int every() {
        return every;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /// Of the rings that a change is shown on: both, or with `--quick` the smaller alone.
    public SortedSet<Integer> sizes() {
        return new TreeSet<>(quick ? List.of(from) : List.of(from, to));
    }

    public int rings() {
        return rings;
    }

    public DataSize size() {
        return size;
    }

    public int rounds() {
        return rounds;
    }

    public boolean quick() {
        return quick;
    }

    public boolean users() {
        return users;
    }

    public boolean keep() {
        return keep;
    }

    public Optional<Path> report() {
        return report;
    }

    public Optional<Path> sandbox() {
        return sandbox;
    }

    public Optional<String> image() {
        return image;
    }
}
