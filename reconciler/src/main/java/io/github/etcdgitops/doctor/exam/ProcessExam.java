package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.ProcessFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/// Checks the process and its folders. Creates the cache directory where it is missing, as a run does.
public final class ProcessExam {
    private static final String PREFIX = "ETCD_GITOPS_";
    private static final String FILE = PREFIX + "CONFIG";

    private ProcessExam() {}

    public static ProcessFacts look(Map<String, String> environment, Path cacheDir) {
        return new ProcessFacts(
                Runtime.version().toString(),
                Runtime.version().feature(),
                ZoneId.systemDefault().getId(),
                Optional.ofNullable(environment.get("TZ")),
                writable(cacheDir),
                writable(Path.of(System.getProperty("java.io.tmpdir"))),
                new ProcessFacts.Settings(
                        environment.keySet().stream()
                                .filter(name -> name.startsWith(PREFIX) && !name.equals(FILE))
                                .toList(),
                        Optional.ofNullable(environment.get(FILE)).filter(file -> !file.isEmpty())));
    }

    /// Checks by writing: permissions are not enough, for root and on a read-only mount.
    private static Fact<String> writable(Path folder) {
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "doctor-", ".tmp");
            try {
                Files.writeString(file, "x");
            } finally {
                Files.delete(file);
            }
            return Fact.seen(folder.toString());
        } catch (IOException e) {
            return new Fact.Unseen<>(
                    Trouble.CONFIGURATION,
                    folder + " cannot be written (" + e.getClass().getSimpleName() + ")");
        }
    }
}
