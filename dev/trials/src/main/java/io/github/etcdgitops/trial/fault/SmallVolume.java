package io.github.etcdgitops.trial.fault;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.util.FileUtils;

/// The folder of a claim's volume becomes a file system of its own, whose size can be set. What is on it is
/// taken along, so nobody may use it meanwhile. Needs root.
public final class SmallVolume implements AutoCloseable {
    private static final int EXTRA_MIB = 512;

    private final Path folder;

    public SmallVolume(Bench bench, String claim) throws IOException, InterruptedException {
        String name = bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName(claim)
                .get()
                .getSpec()
                .getVolumeName();
        folder = Path.of(bench.kube()
                .persistentVolumes()
                .withName(name)
                .get()
                .getSpec()
                .getHostPath()
                .getPath());
        Path aside = Files.createTempDirectory(bench.folder(), "volume");
        copy(folder, aside);
        run("mount", "-t", "tmpfs", "-o", "size=" + EXTRA_MIB + "m", "tmpfs", folder.toString());
        copy(aside, folder);
        FileUtils.delete(aside.toFile(), FileUtils.RECURSIVE);
    }

    public static boolean isPossible() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /// What is on it keeps its room.
    public void leave(long mebibytes) throws IOException, InterruptedException {
        var store = Files.getFileStore(folder);
        long used = store.getTotalSpace() - store.getUsableSpace();
        run("mount", "-o", "remount,size=" + (used + (mebibytes << 20)), folder.toString());
    }

    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        run("cp", "-a", from + "/.", to.toString());
    }

    private static void run(String... words) throws IOException, InterruptedException {
        Command.run(new ProcessBuilder(words), "");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("umount", "--lazy", folder.toString());
    }
}
