package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks the free room on a member's volume, and writes it as the final message of its container.
public final class Room {
    private Room() {}

    /// Counted like the receiver of a snapshot does: what a process without special rights may use.
    public static Outcome tell(Path folder, Path message) {
        try {
            long free = Disk.REAL.free(folder);
            Files.writeString(message, "{\"free\":" + free + "}");
            return new Outcome.Done(free + " bytes are free");
        } catch (IOException e) {
            return new Outcome.Failed("the free space of the volume could not be read: " + e);
        }
    }
}
