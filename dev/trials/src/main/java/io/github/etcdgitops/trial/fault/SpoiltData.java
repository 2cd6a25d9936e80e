package io.github.etcdgitops.trial.fault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a bad disk does to the file of a member of `ring`. Members have it mapped: what is written into it
/// from outside is what they read.
public record SpoiltData(Bench bench, String ring) {
    private static final String KEY = "damaged";
    private static final String VALUE = "a-value-of-which-one-bit-is-about-to-be-another";

    /// One bit of a value that is there is another one, and the ring compacts: that is when etcd compares.
    public void flip(int ordinal) throws Exception {
        var way = new Members(bench, ring).ways().getFirst();
        LiveRing.put(way, KEY, VALUE);
        long written = LiveRing.revision(way);
        // By then its page is not written anew with each further key.
        EtcdProcess.await(
                "more keys than one page has", Duration.ofMinutes(2), () -> LiveRing.revision(way) > written + 1_000);
        var file = database(ordinal);
        var found = positions(file);
        TrialFailure.unless(!found.isEmpty(), "the value is not in the file");
        try (var live = new RandomAccessFile(file.toFile(), "rw")) {
            for (int at : found) {
                live.seek(at + 5L);
                int bits = live.read();
                live.seek(at + 5L);
                live.write(bits ^ 1);
            }
        }
        LiveRing.compact(way);
    }

    private static List<Integer> positions(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        byte[] value = VALUE.getBytes(US_ASCII);
        var found = new ArrayList<Integer>();
        for (int at = 0; at + value.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + value.length, value, 0, value.length)) {
                found.add(at);
            }
        }
        return found;
    }

    /// No process starts on it any more, and the one that runs is ended.
    public void spoil(int ordinal) throws IOException {
        try (var live = new RandomAccessFile(database(ordinal).toFile(), "rw")) {
            live.write(new byte[Math.toIntExact(live.length())]);
        }
        bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-" + ordinal)
                .delete();
    }

    /// All data directories on the volume of a member.
    public List<Path> directories(int ordinal) throws IOException {
        try (var all = Files.walk(volume(ordinal))) {
            return all.filter(p -> p.endsWith(Path.of("member", "snap", "db")))
                    .map(db -> db.getParent().getParent().getParent())
                    .toList();
        }
    }

    public Path volume(int ordinal) {
        String name = bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName("data-" + ring + "-" + ordinal)
                .get()
                .getSpec()
                .getVolumeName();
        return Path.of(bench.kube()
                .persistentVolumes()
                .withName(name)
                .get()
                .getSpec()
                .getHostPath()
                .getPath());
    }

    private Path database(int ordinal) throws IOException {
        var directories = directories(ordinal);
        TrialFailure.unless(directories.size() == 1, "data directories: " + directories);
        return directories.getFirst().resolve("member/snap/db");
    }
}
