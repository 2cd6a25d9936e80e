package io.github.etcdgitops.cli;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.pipeline.environment.RunException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "schema",
        description = "Prints the JSON Schema of a kind of document; without a kind, the kinds.",
        mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {
    private static final Map<String, String> FILES = new TreeMap<>(Map.ofEntries(
            Map.entry("Fleet", "fleet"),
            Map.entry("EtcdCluster", "etcdcluster"),
            Map.entry("Approval", "approval"),
            Map.entry("Policy", "policy"),
            Map.entry("PolicyExemption", "policyexemption"),
            Map.entry("BackupPolicy", "backuppolicy"),
            Map.entry("EtcdBackup", "etcdbackup"),
            Map.entry("EtcdRestore", "etcdrestore"),
            Map.entry("MemberReplacement", "memberreplacement"),
            Map.entry("EtcdUser", "etcduser"),
            Map.entry("EtcdRole", "etcdrole"),
            Map.entry("VolumeReset", "volumereset"),
            Map.entry("Tombstone", "tombstone"),
            Map.entry("Catalog", "catalog"),
            Map.entry("PolicyTest", "policytest"),
            Map.entry("Plan", "plan"),
            Map.entry("Run", "run")));

    private final Surface process;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KIND",
            description =
                    "Fleet, EtcdCluster, EtcdBackup, EtcdRestore, VolumeReset, MemberReplacement, EtcdUser, EtcdRole,"
                            + " Tombstone, Policy, PolicyExemption, PolicyTest, BackupPolicy, Approval, Catalog, Plan or"
                            + " Run.")
    @Nullable
    String kind;

    SchemaCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        if (kind == null) {
            FILES.keySet().forEach(process.out()::println);
            return ExitCode.SUCCESS.code();
        }
        String wanted = kind;
        String file = FILES.entrySet().stream()
                .filter(e -> e.getKey().toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "there is no kind '" + wanted + "'; the kinds are " + String.join(", ", FILES.keySet())));
        process.out().print(read("/schemas/" + file + ".schema.json"));
        return ExitCode.SUCCESS.code();
    }

    private static String read(String resource) {
        try (var stream = SchemaCommand.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("the build left out " + resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the jar is damaged", e);
        }
    }
}
