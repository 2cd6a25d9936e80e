package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.etcd.Folders;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A folder whose files all change at the same moment, as the kubelet's do: they are links into a folder
/// `..data`, which is a link itself.
record AtomicFolder(Path folder) {
    private static final String DATA = "..data";

    void publish(Map<String, byte[]> files, int mode) throws IOException {
        Files.createDirectories(folder);
        Path data = folder.resolve(DATA);
        if (Files.exists(data) && same(read(data), files)) {
            return;
        }
        Path next = Files.createTempDirectory(folder, "..");
        for (var file : files.entrySet()) {
            Path target = next.resolve(file.getKey());
            Files.write(target, file.getValue());
            Files.setPosixFilePermissions(target, permissions(mode));
        }
        Files.setPosixFilePermissions(next, permissions(0755));
        Path before = Files.exists(data) ? data.toRealPath() : next;
        Path link = folder.resolve("..data_tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, next.getFileName());
        Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        for (String name : files.keySet()) {
            linkToData(name);
        }
        removeLinksOtherThan(files.keySet());
        if (!before.equals(next)) {
            Folders.delete(before);
        }
    }

    private void linkToData(String name) throws IOException {
        try {
            Files.createSymbolicLink(folder.resolve(name), Path.of(DATA, name));
        } catch (FileAlreadyExistsException asBefore) {
            // it leads to the new content already
        }
    }

    private void removeLinksOtherThan(Set<String> names) throws IOException {
        try (Stream<Path> listed = Files.list(folder)) {
            for (Path link : listed.toList()) {
                String name = link.getFileName().toString();
                if (!name.startsWith("..") && !names.contains(name)) {
                    Files.delete(link);
                }
            }
        }
    }

    private static Map<String, byte[]> read(Path data) throws IOException {
        var files = new TreeMap<String, byte[]>();
        try (Stream<Path> listed = Files.list(data)) {
            for (Path file : listed.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static boolean same(Map<String, byte[]> a, Map<String, byte[]> b) {
        return a.keySet().equals(b.keySet())
                && a.entrySet().stream().allMatch(file -> Arrays.equals(file.getValue(), b.get(file.getKey())));
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's read to the others' execute
        var permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < all.length; bit++) {
            if ((mode & 0400 >> bit) != 0) {
                permissions.add(all[bit]);
            }
        }
        return permissions;
    }
}
