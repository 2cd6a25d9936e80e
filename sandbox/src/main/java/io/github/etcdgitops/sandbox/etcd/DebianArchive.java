package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The Debian releases of several years carry an etcd each: packages for every minor from 3.3 on, from an
/// archive that this machine trusts and reaches anyway.
///
/// Uses apt with a configuration and lists of its own, so it needs no privilege and changes nothing of the
/// machine's.
final class DebianArchive implements Source {
    private static final List<String> SUITES = List.of("bullseye", "bookworm", "trixie", "sid");
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Duration LISTS_KEPT = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern ARCHIVE = Pattern.compile("^(?:URIs:|deb\\s).*?(https?://\\S+/debian)/?(?:\\s.*)?$");
    private static final Pattern OFFER = Pattern.compile("^\\s*(\\S+) \\|\\s+((\\d+\\.\\d+\\.\\d+)[+-]\\S*) \\|.*");

    private static final List<String> PACKAGES = List.of("etcd-server", "etcd-client");

    private final Path folder;
    private final Path machine;
    private final InstantSource clock;

    private record Offer(String name, String version, String debian) {}

    /// `folder` keeps the lists; `machine` is where this machine's own apt sources are, `/etc/apt`.
    DebianArchive(Path folder, Path machine, InstantSource clock) {
        this.folder = folder;
        this.machine = machine;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "Debian's packages";
    }

    @Override
    public Set<String> offers(Consumer<String> progress) throws IOException, InterruptedException {
        update(progress);
        return versions(offers());
    }

    private static Set<String> versions(List<Offer> offers) {
        return offers.stream().map(Offer::version).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void fetch(String version, Path into, Consumer<String> progress) throws IOException, InterruptedException {
        update(progress);
        List<Offer> offers = offers();
        var wanted = new ArrayList<String>();
        for (String name : PACKAGES) {
            wanted.add(offers.stream()
                    .filter(offer ->
                            offer.name().equals(name) && offer.version().equals(version))
                    .map(offer -> name + "=" + offer.debian())
                    .findFirst()
                    .orElseThrow(() -> new IOException("not among " + versions(offers))));
        }
        progress.accept("etcd " + version + ": downloading Debian's " + String.join(", ", wanted));
        Path unpacked = Files.createDirectory(into.resolve("unpacked"));
        Command.run(unpacked, PATIENCE, apt("apt-get", Stream.concat(Stream.of("download"), wanted.stream())));
        try (Stream<Path> packages = Files.list(unpacked)) {
            for (Path file : packages.filter(p -> p.toString().endsWith(".deb")).toList()) {
                Command.run(unpacked, PATIENCE, List.of("dpkg-deb", "-x", file.toString(), "."));
            }
        }
        try (Stream<Path> binaries = Files.list(unpacked.resolve("usr/bin"))) {
            for (Path binary : binaries.toList()) {
                Files.move(binary, into.resolve(binary.getFileName()));
            }
        }
        Folders.delete(unpacked);
    }

    /// Reads the archive's lists at most once a day. A suite that has gone must not keep the others from
    /// being used.
    private void update(Consumer<String> progress) throws IOException, InterruptedException {
        Path stamp = folder.resolve("updated");
        configure();
        if (Files.exists(stamp)
                && Files.getLastModifiedTime(stamp)
                        .toInstant()
                        .isAfter(clock.instant().minus(LISTS_KEPT))) {
            return;
        }
        progress.accept("etcd: reading Debian's package lists (once a day)");
        try {
            Command.run(folder, PATIENCE, apt("apt-get", Stream.of("update")));
        } catch (IOException e) {
            if (offers().isEmpty()) {
                throw e;
            }
            progress.accept("etcd: not all of Debian's package lists could be read: " + e.getMessage());
        }
        Files.writeString(stamp, "");
    }

    private void configure() throws IOException {
        if (!Command.exists("apt-get") || !Command.exists("dpkg-deb")) {
            throw new IOException("apt-get and dpkg-deb are not both installed");
        }
        if (!Files.exists(KEYRING)) {
            throw new IOException("no " + KEYRING);
        }
        String archive =
                archive().orElseThrow(() -> new IOException("no Debian archive among the apt sources in " + machine));
        for (String each : List.of("lists/partial", "cache/archives/partial")) {
            Files.createDirectories(folder.resolve(each));
        }
        var sources = new StringBuilder();
        SUITES.forEach(suite -> sources.append("deb [signed-by=" + KEYRING + "] " + archive + " " + suite + " main\n"));
        Files.writeString(folder.resolve("sources.list"), sources);
        Files.writeString(folder.resolve("status"), "");
    }

    private Optional<String> archive() throws IOException {
        var lines = new ArrayList<String>();
        for (Path file : sourceFiles()) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines.stream()
                .map(ARCHIVE::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .findFirst();
    }

    private List<Path> sourceFiles() throws IOException {
        var files = new ArrayList<Path>();
        files.add(machine.resolve("sources.list"));
        Path parts = machine.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> listed = Files.list(parts)) {
                listed.filter(p ->
                                p.toString().endsWith(".list") || p.toString().endsWith(".sources"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files.stream().filter(Files::isReadable).toList();
    }

    private List<Offer> offers() throws IOException, InterruptedException {
        return Command.run(folder, PATIENCE, apt("apt-cache", Stream.concat(Stream.of("madison"), PACKAGES.stream())))
                .lines()
                .map(OFFER::matcher)
                .filter(Matcher::matches)
                .map(line -> new Offer(line.group(1), line.group(3), line.group(2)))
                .toList();
    }

    private List<String> apt(String command, Stream<String> arguments) {
        var line = new ArrayList<>(List.of(command, "-qq"));
        Stream.of(
                        "Dir::Etc::sourcelist=" + folder.resolve("sources.list"),
                        "Dir::Etc::sourceparts=/dev/null",
                        "Dir::State=" + folder,
                        "Dir::State::lists=" + folder.resolve("lists"),
                        "Dir::State::status=" + folder.resolve("status"),
                        "Dir::Cache=" + folder.resolve("cache"),
                        // Root would otherwise download as a user who may not enter these folders.
                        "APT::Sandbox::User=root")
                .forEach(option -> line.addAll(List.of("-o", option)));
        arguments.forEach(line::add);
        return line;
    }
}
