package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Looks how much room there is on a member's volume, and writes that down as the last word of its container.
public final class Room {
    private Room() {}

    /// As the receiver of a snapshot counts it: what a process without special rights may use.
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
