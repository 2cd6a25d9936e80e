package io.github.etcdgitops.gateway.store.directory;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.place.AllowedPlace;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Whether a directory is below an allowed one on the disk as well, after symbolic links.
public final class RealDirectories {
    private RealDirectories() {}

    public static void requireBelow(Destination.Directory directory, AllowedPlace place) {
        Path asked = real(Path.of(directory.path()).resolve(directory.prefix()), directory);
        if (!asked.startsWith(real(Path.of(place.prefix()), directory))) {
            throw new GatewayException(
                    Kind.UNAUTHORIZED,
                    false,
                    directory.title() + " may not be used: a symbolic link leads out of " + place);
        }
    }

    /// A path that does not exist yet is below its existing parent.
    private static Path real(Path path, Destination.Directory directory) {
        try {
            Path existing = path.toAbsolutePath();
            while (existing.getParent() != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
                existing = existing.getParent();
            }
            return existing.toRealPath().resolve(existing.relativize(path.toAbsolutePath()));
        } catch (IOException _) {
            throw new GatewayException(
                    Kind.UNAUTHORIZED,
                    false,
                    directory.title() + " cannot be used: a directory on the way to it cannot"
                            + " be read, or a symbolic link there leads nowhere");
        }
    }
}
