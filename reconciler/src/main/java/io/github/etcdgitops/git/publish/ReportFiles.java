package io.github.etcdgitops.git.publish;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// The files of a report, by path. Each is rendered when it is written, and not kept: all files of thousands of rings
/// together would be larger than the rest of a run.
///
/// `clean` gets the path and content of each file that is not on the branch already, and returns what is written.
/// `following` is a file that stays as it is on the branch where no other file changes.
public record ReportFiles(
        SortedMap<String, Supplier<byte[]>> files,
        Optional<Following> following,
        BiFunction<String, byte[], byte[]> clean) {
    public ReportFiles {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    public record Following(String path, Supplier<byte[]> content) {}

    /// Files that are written as they are.
    public static ReportFiles of(SortedMap<String, byte[]> contents) {
        var files = new TreeMap<String, Supplier<byte[]>>();
        contents.forEach((path, content) -> files.put(path, () -> content));
        return new ReportFiles(files, Optional.empty(), (_, content) -> content);
    }
}
