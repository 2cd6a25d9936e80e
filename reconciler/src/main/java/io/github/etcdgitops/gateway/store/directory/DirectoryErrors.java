package io.github.etcdgitops.gateway.store.directory;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The only place that interprets errors of volumes.
final class DirectoryErrors {
    /// With less than this free, the volume counts as full. The system's messages depend on its language,
    /// the number of bytes does not.
    private static final long NOTHING = 1 << 16;

    private static final List<String> FULL = List.of("No space left", "Disk quota exceeded", "not enough space");

    private DirectoryErrors() {}

    static GatewayException translate(Call call, Path root, IOException failure, Disk disk) {
        if (failure.getCause() instanceof GatewayException known) {
            return known;
        }
        String words = words(failure);
        long free = free(root, disk);
        if (FULL.stream().anyMatch(words::contains) || free < NOTHING) {
            return call.refused(Kind.REJECTED, """
                the volume is full: %d bytes are free in %s, or its quota or its inodes are used up; make it \
                larger, or keep fewer backups\
                """.formatted(free, root));
        }
        return switch (failure) {
            case NoSuchFileException _ -> call.refused(Kind.NOT_FOUND, "it does not exist");
            case FileAlreadyExistsException _ -> call.refused(Kind.CONFLICT, "it already exists");
            case AccessDeniedException _ -> call.refused(Kind.UNAUTHORIZED, """
                this process is not allowed to do this in %s; check the owner and the mode of the directory, and \
                fsGroup of the pod\
                """.formatted(root));
            case NotDirectoryException _ -> call.refused(Kind.REJECTED, "a part of the key is a file, not a directory");
            default ->
                words.contains("Read-only")
                        ? call.refused(Kind.UNAUTHORIZED, "the volume is mounted read-only in " + root)
                        : call.lost("the volume in " + root + " failed (" + words + ")");
        };
    }

    private static String words(IOException failure) {
        return failure instanceof FileSystemException known
                ? Optional.ofNullable(known.getReason()).orElse(known.getClass().getSimpleName())
                : Optional.ofNullable(failure.getMessage())
                        .orElse(failure.getClass().getSimpleName());
    }

    private static long free(Path root, Disk disk) {
        try {
            return disk.free(root);
        } catch (IOException _) {
            return Long.MAX_VALUE;
        }
    }
}
