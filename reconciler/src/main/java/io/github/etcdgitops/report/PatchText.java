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
    /// More lines than a reviewer reads; forges also limit a text.
    private static final int MOST_RINGS = 200;

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

    /// The body of the pull request.
    public static String markdown(List<Patch> patches) {
        var text = new StringBuilder("These rings run releases of etcd that security advisories hit. Each is raised to"
                + " the smallest release of its own minor version that ends them. Policies such as `waves` decide"
                + " when each ring is upgraded after the merge.\n\n| ring | version | ends |\n| --- | --- | --- |\n");
        patches.stream()
                .limit(MOST_RINGS)
                .forEach(patch -> text.append("| ")
                        .append(MarkdownText.text(patch.ring().ref().toString()))
                        .append(" | ")
                        .append(MarkdownText.text(change(patch)))
                        .append(" | ")
                        .append(MarkdownText.text(ids(patch)))
                        .append(" |\n"));
        text.append(more(patches)).append("\n\n");
        advisories(patches)
                .forEach((id, advisory) -> text.append("- ")
                        .append(MarkdownText.text(
                                id + ", " + advisory.severity().wire() + ", published " + advisory.published() + ": "
                                        + advisory.title()))
                        .append('\n'));
        return text.toString();
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
