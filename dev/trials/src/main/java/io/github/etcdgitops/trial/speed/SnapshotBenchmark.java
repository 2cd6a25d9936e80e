package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.Filling;
import io.github.etcdgitops.trial.bench.DataSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// How fast a snapshot is taken, against `etcdctl snapshot save` into the same folder.
///
/// Both take turns, so that load on the machine affects both; the ratio of the medians is the result.
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        description = "The rate at which a snapshot reaches the disk, against etcdctl snapshot save.")
final class SnapshotBenchmark implements Callable<Integer> {
    /// SHA-256 takes the processor's own instructions only where the second compiler has been at it, and is ten
    /// times as quick then. Everything else stays with the first compiler for much longer than usual: compiling a
    /// second time costs a short run more than it gains.
    private static final String COMPILER = "-XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=12000"
            + " -XX:Tier4CompileThreshold=300000 -XX:Tier4BackEdgeThreshold=800000 -XX:CompileCommand=quiet"
            + " -XX:CompileCommand=CompileThresholdScaling,sun.security.provider.DigestBase::implCompressMultiBlock*,0.001";

    @Option(
            names = "--size",
            converter = DataSize.Converter.class,
            defaultValue = "1GiB",
            description = "Of the database: ${DEFAULT-VALUE}, say.")
    private DataSize size = DataSize.of("1GiB");

    @Option(names = "--rounds", defaultValue = "5", description = "Of each, in turn (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--etcd", defaultValue = "3.5.30", description = "Version, 3.5 or newer (${DEFAULT-VALUE}).")
    private String version = "";

    @Option(names = "--jvm", defaultValue = COMPILER, description = "Options of the JVM that takes our snapshots.")
    private String jvm = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        var binaries = EtcdBinaries.find(version).orElse(null);
        if (binaries == null) {
            System.err.println("benchmarks: etcd " + version + " is not installed; installed are "
                    + EtcdBinaries.installed() + ". sandbox/sandbox etcd VERSION fetches one; see CONTRIBUTING.md");
            return CommandLine.ExitCode.USAGE;
        }
        Path folder = Files.createTempDirectory("etcd-gitops-benchmark-");
        try (var ring = EtcdRing.start(binaries, 1, Filling.FLAGS)) {
            System.err.println("benchmarks: filling " + size + "…");
            Filling.fill(ring.endpoints().getFirst(), size.bytes());
            var theirs = new ArrayList<Round>();
            var ours = new ArrayList<Round>();
            Path file = folder.resolve("snapshot.db");
            for (int round = 1; round <= rounds; round++) {
                theirs.add(etcdctl(binaries, ring.member(0), file));
                ours.add(stream(ring.member(0), file));
                System.err.printf(
                        Locale.ROOT,
                        "benchmarks: round %d: etcdctl %.2f s, ours %.2f s (%s)%n",
                        round,
                        theirs.getLast().seconds(),
                        ours.getLast().seconds(),
                        ours.getLast().figures());
            }
            print(theirs, ours);
            return CommandLine.ExitCode.OK;
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private static Round etcdctl(EtcdBinaries binaries, EtcdProcess member, Path file)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        command(List.of(
                binaries.etcdctl().toString(),
                "--endpoints=" + member.endpoint(),
                "snapshot",
                "save",
                file.toString()));
        double seconds = (System.nanoTime() - began) / 1e9;
        return new Round(sizeOnceGone(file), seconds, 0, 0, "");
    }

    private Round stream(EtcdProcess member, Path file) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED"));
        Stream.of(jvm.split(" ")).filter(option -> !option.isEmpty()).forEach(command::add);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SnapshotStream.class.getName(),
                member.address(),
                String.valueOf(member.clientPort()),
                file.toString()));
        String[] told = command(command).strip().split(" ");
        long size = sizeOnceGone(file);
        if (size != Long.parseLong(told[0])) {
            throw new AssertionError("the file has " + size + " bytes and " + told[0] + " were streamed");
        }
        return new Round(
                size,
                Double.parseDouble(told[1]),
                Long.parseLong(told[6]),
                Long.parseLong(told[7]),
                "hashing %s s, writing %s s, flush %s s, processor with the JVM's start %s s"
                        .formatted(told[2], told[3], told[4], told[5]));
    }

    private static long sizeOnceGone(Path file) throws IOException {
        long size = Files.size(file);
        Files.delete(file);
        return size;
    }

    private static String command(List<String> words) throws IOException, InterruptedException {
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(words.getFirst() + ": " + output);
        }
        return output;
    }

    private void print(List<Round> theirs, List<Round> ours) {
        System.out.printf(
                "%n| %s, etcd %s, %d rounds | median | slowest | fastest |%n| --- | --- | --- | --- |%n",
                size, version, rounds);
        row("etcdctl snapshot save", theirs);
        row("etcd-gitops, digest and trailer checked", ours);
        System.out.printf(
                Locale.ROOT,
                "%nratio of the medians: %.2f; peak heap %d MiB under -Xmx96m, peak resident %d MiB%n",
                median(ours) / median(theirs),
                ours.stream().mapToLong(Round::heap).max().orElse(0),
                ours.stream().mapToLong(Round::resident).max().orElse(0));
    }

    private static void row(String title, List<Round> rounds) {
        var rates = rounds.stream().mapToDouble(Round::rate).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f MB/s | %.0f | %.0f |%n",
                title,
                median(rounds),
                rates[0],
                rates[rates.length - 1]);
    }

    private static double median(List<Round> rounds) {
        var rates = rounds.stream().mapToDouble(Round::rate).sorted().toArray();
        int half = rates.length / 2;
        return rates.length % 2 == 1 ? rates[half] : (rates[half - 1] + rates[half]) / 2;
    }

    /// Memory is in MiB.
    private record Round(long bytes, double seconds, long heap, long resident, String figures) {
        double rate() {
            return bytes / seconds / 1e6;
        }
    }
}
