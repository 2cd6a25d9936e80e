package io.github.etcdgitops.sandbox.process;

import io.github.etcdgitops.sandbox.etcd.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Gives a process a file system of its own, in a private mount namespace: the machine's `/usr`, read-only,
/// what is in the image, the pod's volumes where they belong, and its own `/etc`.
///
/// The shell that mounts it all becomes the process itself, so its process ID is the one that was started.
public enum Containment {
    /// For root, where it is the root of the machine.
    ROOT(List.of("unshare", "--mount"), List.of("--mount", "--root", "--wd")),

    /// For everybody else, who is root in a user namespace of his own.
    USER(
            List.of("unshare", "--user", "--map-root-user", "--mount"),
            List.of("--user", "--preserve-credentials", "--mount", "--root", "--wd"));

    /// The root is a mount of its own, as in a container: whoever asks how much room there is looks for it.
    /// Where the kernel must not make a copy of a mount writable, asking for read-only is all the same.
    private static final String MOUNT_AND_BECOME = """
        set -e
        root=$1
        shift
        mount --bind "$root" "$root"
        while [ "$1" != -- ]; do
          if [ "$1" = ro ]; then
            mount --rbind -o ro "$2" "$root$3" 2>/dev/null || mount --rbind "$2" "$root$3"
          else
            mount --rbind "$2" "$root$3"
          fi
          shift 3
        done
        shift
        exec chroot "$root" env -i "$@"
        """;

    private static final List<String> SYSTEM = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");
    private static final String TOOLS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final int PATIENCE_SECONDS = 20;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> unshare;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> namespaces;

    Containment(List<String> unshare, List<String> namespaces) {
        this.unshare = unshare;
        this.namespaces = namespaces;
    }

    /// A folder of the machine, and where the process finds it.
    public record Mount(Path source, String path, boolean readOnly) {}

    /// The root folder of a process, what is mounted in it, and what runs there with which environment.
    public record Cell(Path root, List<Mount> mounts, Map<String, String> environment, List<String> command) {}

    /// The first that works here.
    public static Containment detect(Path scratch) throws IOException, InterruptedException {
        var refusals = new ArrayList<String>();
        for (Containment each : values()) {
            Path root = Files.createTempDirectory(scratch, "containment-");
            try {
                var cell = new Cell(root, List.of(), Map.of(), List.of("/bin/true"));
                Path output = root.resolve("output");
                Process trial = each.builder(cell)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (trial.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && trial.exitValue() == 0) {
                    return each;
                }
                trial.destroyForcibly();
                refusals.add(String.join(" ", each.unshare) + ": "
                        + Files.readString(output).strip().replace("\n", " / "));
            } finally {
                Folders.delete(root);
            }
        }
        throw new IOException("no private mount namespace is to be had here (" + String.join("; ", refusals)
                + "). Allow user namespaces: sysctl user.max_user_namespaces=10000, and where there are such,"
                + " kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; in a"
                + " container, run it with --security-opt seccomp=unconfined, or with --cap-add SYS_ADMIN as root.");
    }

    /// Output is for the caller to redirect. The environment has none of this process's.
    public ProcessBuilder builder(Cell cell) throws IOException {
        var line = new ArrayList<>(unshare);
        line.addAll(List.of("sh", "-c", MOUNT_AND_BECOME, "sh", cell.root().toString()));
        var mounts = new ArrayList<>(machine(cell.root()));
        mounts.addAll(cell.mounts());
        for (Mount mount : mounts) {
            Path target = cell.root().resolve(mount.path().substring(1)).normalize();
            if (!target.startsWith(cell.root())) {
                throw new IOException("a mount outside of its root: " + mount.path());
            }
            if (!target.startsWith(cell.root().resolve("usr/local"))) {
                Files.createDirectories(target);
            }
            line.addAll(List.of(mount.readOnly() ? "ro" : "rw", mount.source().toString(), mount.path()));
        }
        line.add("--");
        cell.environment().forEach((name, value) -> line.add(name + "=" + value));
        line.addAll(cell.command());
        return withTools(line);
    }

    /// One more command among the mounts of a running process.
    public ProcessBuilder enter(long pid, Map<String, String> environment, List<String> command) {
        var line = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid)));
        line.addAll(namespaces);
        line.addAll(List.of("env", "-i"));
        environment.forEach((name, value) -> line.add(name + "=" + value));
        line.addAll(command);
        return withTools(line);
    }

    /// What a container gets without saying so.
    public static Map<String, String> defaults(String hostname) {
        return new TreeMap<>(Map.of("PATH", TOOLS, "HOSTNAME", hostname));
    }

    private static ProcessBuilder withTools(List<String> line) {
        var builder = new ProcessBuilder(line);
        builder.environment().clear();
        builder.environment().put("PATH", TOOLS);
        return builder;
    }

    /// Makes the root's folders and links; returns what of the machine is mounted there.
    private static List<Mount> machine(Path root) throws IOException {
        for (String name : List.of("etc", "tmp", "var", "run")) {
            Files.createDirectories(root.resolve(name));
        }
        Files.writeString(root.resolve("etc/nsswitch.conf"), "hosts: files\n");
        var mounts = new ArrayList<>(Stream.of("/usr", "/dev", "/proc")
                .map(path -> new Mount(Path.of(path), path, path.equals("/usr")))
                .toList());
        for (String name : SYSTEM) {
            Path there = Path.of("/", name);
            Path here = root.resolve(name);
            if (Files.isSymbolicLink(there)) {
                if (!Files.isSymbolicLink(here)) {
                    Files.createSymbolicLink(here, Files.readSymbolicLink(there));
                }
            } else if (Files.isDirectory(there)) {
                mounts.add(new Mount(there, there.toString(), true));
            }
        }
        return mounts;
    }
}
