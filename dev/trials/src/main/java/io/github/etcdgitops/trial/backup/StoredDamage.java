package io.github.etcdgitops.trial.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/// Backups that were well when they were taken, and are not any more: each is found, said and marked, and none of them
/// spoils another.
record StoredDamage(BackupCommands commands, Figures figures) {
    /// Somebody put it into the ring.
    static final String LIVE_VALUE = "a value that is looked for in the stored snapshot";

    private static final int TRAILER = 32;

    /// Spoils the files of a backup; `other` are those of another ring's.
    private interface Spoil {
        void make(Path snapshot, Path manifest, Path other) throws IOException;
    }

    private record Damage(String name, int exit, String said, Spoil spoil) {}

    private static final List<Damage> ALL = List.of(
            new Damage("truncated by a byte", 20, "the snapshot is truncated: ", (s, _, _) -> shorten(s, 1)),
            new Damage(
                    "a bit flipped in a live value",
                    20,
                    "the snapshot's bytes differ from those that etcd sent",
                    (s, _, _) -> flip(s)),
            new Damage(
                    "without trailer",
                    20,
                    "without the SHA-256 that ends a snapshot",
                    (s, _, _) -> shorten(s, TRAILER)),
            new Damage(
                    "another ring's snapshot",
                    20,
                    "; the manifest says ",
                    (s, _, other) ->
                            Files.copy(other.resolve(BackupPlace.SNAPSHOT), s, StandardCopyOption.REPLACE_EXISTING)),
            new Damage(
                    "another ring's manifest",
                    20,
                    "the manifest belongs to another backup (",
                    (_, m, other) ->
                            Files.copy(other.resolve(BackupPlace.MANIFEST), m, StandardCopyOption.REPLACE_EXISTING)),
            new Damage("a manifest cut off", 20, "the manifest is not JSON", (_, m, _) -> shorten(m, 100)),
            new Damage(
                    "without snapshot",
                    20,
                    "it is missing, although the manifest lists it",
                    (s, _, _) -> Files.delete(s)),
            new Damage("without manifest", 78, " has no backup ", (_, m, _) -> Files.delete(m)));

    void all(BackupPlace place, String ring, String otherRing) throws IOException {
        var good = commands.created(place, ring);
        var foreign = commands.created(place, otherRing);
        int hours = 0;
        for (var damage : ALL) {
            String id = place.copyOf(good, Duration.ofHours(++hours));
            Path folder = place.file(good.prefix()).resolveSibling(id);
            damage.spoil()
                    .make(
                            folder.resolve(BackupPlace.SNAPSHOT),
                            folder.resolve(BackupPlace.MANIFEST),
                            place.file(foreign.prefix()));
            var run = commands.verify(place, ring, id);
            BackupCommands.demand(damage.exit(), run, damage.said(), id);
            boolean marked = Files.exists(folder.resolve("damaged.json"));
            TrialFailure.unless(marked == (damage.exit() == 20), damage.name() + ": marked " + marked);
        }
        figures.put("damages", hours);
        var listed = commands.list(place);
        var verified = listed.stream().filter(Backup::verified).map(Backup::id).toList();
        TrialFailure.unless(
                listed.size() == ALL.size() + 1
                        && verified.size() == 2
                        && verified.contains(good.id())
                        && verified.contains(foreign.id()),
                "among the damaged ones are listed as well: " + verified + " of " + listed);
        BackupCommands.demand(0, commands.verify(place, ring, good.id()), "  sound  ");
    }

    private static void shorten(Path file, int bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - bytes);
        }
    }

    /// Wherever it stands: pages that etcd has let go may have it too.
    private static void flip(Path snapshot) throws IOException {
        byte[] bytes = Files.readAllBytes(snapshot);
        byte[] value = LIVE_VALUE.getBytes(US_ASCII);
        int found = 0;
        for (int at = 0; at + value.length <= bytes.length; at++) {
            if (java.util.Arrays.equals(bytes, at, at + value.length, value, 0, value.length)) {
                bytes[at + value.length / 2] ^= 1;
                found++;
            }
        }
        TrialFailure.unless(found > 0, "the value is not in the stored snapshot");
        Files.write(snapshot, bytes);
    }
}
