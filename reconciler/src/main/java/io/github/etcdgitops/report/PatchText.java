package io.github.etcdgitops.report;

import io.github.etcdgitops.ring.roll.Patch;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What a proposal of versions says to reviewers, as a commit and as a pull request. Each of its patches names a
/// release.
public final class PatchText {
    /// More lines than a reviewer of a commit reads.
    private static final int MOST_RINGS = 200;

    private static final String HEAD = """
        These rings run releases of etcd that security advisories hit. Each is raised to the smallest release of its own \
        minor version that ends them. Policies such as `waves` decide when each ring is upgraded after the merge.

        | ring | version | ends |
        | --- | --- | --- |
        """;

    private PatchText() {}

    /// The subject of the commit, and the title of the pull request.
    public static String title(List<Patch> patches) {
        var releases = new TreeSet<EtcdVersion>();
        patches.forEach(patch -> releases.add(patch.release().orElseThrow()));
        return "Raise etcd to "
                + releases.stream().map(EtcdVersion::toString).collect(Collectors.joining(", "))
                + " because of security advisories";
    }

    /// The body of the commit.
    public static String plain(List<Patch> patches) {
        return patches.stream()
                        .limit(MOST_RINGS)
                        .map(patch -> patch.ring().ref() + ": " + change(patch) + ", ends " + ids(patch))
                        .collect(Collectors.joining("\n"))
                + more(patches);
    }

    /// The body of the pull request, with at most so many characters: what does not fit is counted.
    public static String markdown(List<Patch> patches, int longest) {
        var rows = patches.stream()
                .map(patch -> "| " + MarkdownText.text(patch.ring().ref().toString()) + " | "
                        + MarkdownText.text(change(patch)) + " | " + MarkdownText.text(ids(patch)) + " |\n")
                .toList();
        var advisories = advisories(patches).values().stream()
                .map(advisory -> "- "
                        + MarkdownText.text(advisory.id() + ", "
                                + advisory.severity().wire() + ", published " + advisory.published() + ": "
                                + advisory.title())
                        + "\n")
                .toList();
        int room = longest - HEAD.length();
        var listed = fitting(advisories, "advisories", room / 2);
        return HEAD + fitting(rows, "rings", room - listed.length() - 1) + "\n" + listed;
    }

    /// As many lines as there is room for, and how many are left out.
    private static String fitting(List<String> lines, String what, int room) {
        String left = "\nand %d more " + what + "\n";
        int used = 0;
        int kept = 0;
        int tail = left.formatted(lines.size()).length();
        while (kept < lines.size() && used + lines.get(kept).length() + tail <= room) {
            used += lines.get(kept++).length();
        }
        return String.join("", lines.subList(0, kept))
                + (kept < lines.size() ? left.formatted(lines.size() - kept) : "");
    }

    private static SortedMap<String, Advisory> advisories(List<Patch> patches) {
        var found = new TreeMap<String, Advisory>();
        patches.forEach(patch -> patch.ends().forEach(advisory -> found.put(advisory.id(), advisory)));
        return found;
    }

    private static String change(Patch patch) {
        return patch.ring().server().version() + " → " + patch.release().orElseThrow();
    }

    private static String ids(Patch patch) {
        return patch.ends().stream().map(Advisory::id).collect(Collectors.joining(", "));
    }

    private static String more(List<Patch> patches) {
        int left = patches.size() - MOST_RINGS;
        return left > 0 ? "\nand " + left + " more rings" : "";
    }
}
