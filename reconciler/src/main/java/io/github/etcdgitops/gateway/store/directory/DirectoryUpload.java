package io.github.etcdgitops.gateway.store.directory;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.ObjectKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// A temporary file that becomes an object.
final class DirectoryUpload extends BackupStore.Upload {
    private final Call call;
    private final Path target;
    private final Path root;
    private final Path base;
    private final Disk disk;
    private final Path part;
    private final OutputStream out;
    private boolean closed;

    DirectoryUpload(Call call, Path target, Path root, Path base, Disk disk) throws IOException {
        this.call = call;
        this.target = target;
        this.root = root;
        this.base = base;
        this.disk = disk;
        this.part = target.resolveSibling(ObjectKey.RESERVED + UUID.randomUUID() + ".part");
        this.out = begin();
    }

    /// A delete may remove the empty folder between its creation and its use.
    private OutputStream begin() throws IOException {
        for (int tries = 1; true; tries++) {
            Files.createDirectories(target.getParent());
            try {
                return disk.create(part);
            } catch (NoSuchFileException e) {
                if (tries == 10) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw Call.inStream(DirectoryErrors.translate(call, root, e, disk));
        }
    }

    @Override
    public void complete() throws IOException {
        if (closed) {
            throw new IllegalStateException("closed before it was completed");
        }
        try {
            out.close();
            disk.sync(part, StandardOpenOption.WRITE);
            publish();
            syncFolders();
        } catch (FileAlreadyExistsException _) {
            throw Call.inStream(call.refused(Kind.CONFLICT, "another one with this name appeared in the meantime"));
        } catch (IOException e) {
            throw Call.inStream(DirectoryErrors.translate(call, root, e, disk));
        } finally {
            close();
        }
    }

    private void publish() throws IOException {
        try {
            disk.link(target, part);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException _) {
            publishWithoutLinks();
        }
    }

    /// Some volumes, SMB and FAT among them, have no hard links, and a rename replaces an existing file. So
    /// only the writer that creates the claim file may rename. A claim file that a crash left behind blocks
    /// its name until [DirectoryStore#abandon].
    private void publishWithoutLinks() throws IOException {
        Path claim = target.resolveSibling(ObjectKey.RESERVED + UUID.nameUUIDFromBytes(bytes(target)) + ".claim");
        Files.createFile(claim);
        try {
            if (Files.exists(target)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(claim);
        }
    }

    private static byte[] bytes(Path path) {
        return path.getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /// Each folder up to the directory itself may be new, and is not on the disk before it is synced.
    private void syncFolders() throws IOException {
        Files.deleteIfExists(part);
        for (Path folder = target.getParent(); folder != null && folder.startsWith(root); folder = folder.getParent()) {
            disk.sync(folder, StandardOpenOption.READ);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
        } catch (IOException _) {
            // The file's content no longer counts.
        }
        try {
            Files.deleteIfExists(part);
            removeEmptyParents(part, base);
        } catch (IOException _) {
            // `abandon` removes it later.
        }
    }

    /// Removes empty folders, up to and without `top`.
    static void removeEmptyParents(Path file, Path top) throws IOException {
        for (Path folder = file.getParent();
                folder != null && folder.startsWith(top) && !folder.equals(top);
                folder = folder.getParent()) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException _) {
                return;
            }
        }
    }
}
