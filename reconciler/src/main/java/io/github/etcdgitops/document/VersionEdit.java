package io.github.etcdgitops.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Replaces the version in documents of rings. Nothing else in their files changes: comments, quotes, order and
/// line ends stay.
public final class VersionEdit {
    private static final List<String> VERSION = List.of("spec", "version");

    private VersionEdit() {}

    /// The files that change, with their new content. `wanted` has the new version by the location of the
    /// document. A document whose version is not written on one line stays as it is.
    public static SortedMap<String, byte[]> of(SourceTree tree, Map<Location, EtcdVersion> wanted) {
        var files = wanted.keySet().stream().map(Location::file).collect(Collectors.toSet());
        var changed = new TreeMap<String, byte[]>();
        for (String file : files) {
            byte[] before = tree.documents().get(file);
            if (before != null) {
                String text = new String(before, UTF_8);
                String edited = edited(file, text, before, wanted);
                if (!edited.equals(text)) {
                    changed.put(file, edited.getBytes(UTF_8));
                }
            }
        }
        return changed;
    }

    private static String edited(String file, String text, byte[] bytes, Map<Location, EtcdVersion> wanted) {
        var lines = text.split("\n", -1);
        for (var document : YamlDocuments.read(file, bytes).documents()) {
            var version = wanted.get(document.at(List.of()));
            if (version != null) {
                replace(lines, document, version);
            }
        }
        return String.join("\n", lines);
    }

    private static void replace(String[] lines, YamlDocument document, EtcdVersion version) {
        var found = document.root().find(VERSION);
        if (found.isEmpty()
                || !(found.get() instanceof YamlNode.Scalar(int line, int column, var _, String former))
                || former.isEmpty()
                || line > lines.length) {
            return;
        }
        String text = lines[line - 1];
        if (column > text.codePointCount(0, text.length())) {
            return;
        }
        int start = text.offsetByCodePoints(0, column - 1);
        if (text.startsWith("\"", start) || text.startsWith("'", start)) {
            start++;
        }
        if (text.startsWith(former, start)) {
            lines[line - 1] = text.substring(0, start) + version + text.substring(start + former.length());
        }
    }
}
