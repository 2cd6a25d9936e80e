package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Folders of binaries on this machine. Their version is what the binary says, not what the folder is called.
final class Binaries {
    private static final Pattern SAID = Pattern.compile("etcd Version: (\\S+)");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Binaries() {}

    /// Empty when there is no etcd with its etcdctl, or it cannot be run here.
    static Optional<String> version(Path folder) throws InterruptedException {
        if (!Files.isExecutable(folder.resolve("etcd")) || !Files.isExecutable(folder.resolve("etcdctl"))) {
            return Optional.empty();
        }
        try {
            Matcher said = SAID.matcher(
                    Command.run(folder, PATIENCE, List.of(folder.resolve("etcd").toString(), "--version")));
            return said.find() ? Optional.of(said.group(1)) : Optional.empty();
        } catch (IOException unusable) {
            return Optional.empty();
        }
    }

    /// The folder itself and the folders in it, by version.
    static Map<String, Path> below(Path home) throws IOException, InterruptedException {
        var found = new TreeMap<String, Path>();
        Optional<String> own = version(home);
        if (own.isPresent()) {
            found.put(own.get(), home);
        }
        if (Files.isDirectory(home)) {
            List<Path> folders;
            try (Stream<Path> listed = Files.list(home)) {
                folders = listed.filter(Files::isDirectory).sorted().toList();
            }
            for (Path folder : folders) {
                Optional<String> version = version(folder);
                if (version.isPresent()) {
                    found.putIfAbsent(version.get(), folder);
                }
            }
        }
        return found;
    }
}
