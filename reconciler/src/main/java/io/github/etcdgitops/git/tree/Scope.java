package io.github.etcdgitops.git.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Our paths in a tree: single files, and folders (with a `/` at the end) whose `.yaml` and `.yml` files
/// count. With `ours`, other files with YAML-like names are ours where their text says so.
public record Scope(List<String> paths, Optional<Pattern> ours) {
    /// The mark of documents. A file of another name whose text has it is one that is not read.
    private static final Pattern API_VERSION =
            Pattern.compile("apiVersion[\"']?\\s{0,9}:\\s{0,9}[\"']?etcdgitops\\.dev/");

    private static final Pattern YAML_LIKE = Pattern.compile("(?i)\\.(ya?ml|json)(~|[._-][^/]{0,40})?\\s{0,9}$");

    public static final Scope STANDARD = new Scope(
            List.of("etcd-gitops.yaml", "clusters/", "policies/", "approvals/", "tombstones/", "catalog/"),
            Optional.of(API_VERSION));

    /// Files and folders named on a command line: all files with YAML names.
    static final Scope NAMED = new Scope(List.of("/"), Optional.empty());

    /// A file of this name says that nothing in its folder is ours. It has no effect in our own folders.
    static final String IGNORE = ".etcd-gitops-ignore";

    /// Cases of policy tests are documents of ours that are never carried out.
    private static final String TESTS = "tests";

    public Scope {
        paths = List.copyOf(paths);
    }

    public Scope(List<String> paths) {
        this(paths, Optional.empty());
        for (String path : paths) {
            if (path.isEmpty() || path.startsWith("/") || path.contains("//")) {
                throw new IllegalArgumentException("a path is relative to the repository's root: " + path);
            }
        }
    }

    /// Whether the entry is one of ours, leads to one, or has a similar name.
    boolean concerns(String path) {
        return holds(path) || paths.stream().anyMatch(p -> p.startsWith(path + "/")) || resembles(path);
    }

    /// Whether the entry is one of ours, or inside one.
    boolean holds(String path) {
        return paths.stream().anyMatch(p -> p.equals(path) || p.equals(path + "/") || isInside(path, p));
    }

    /// Whether other folders are searched for misplaced documents.
    boolean searches(String path) {
        return ours.isPresent() && !holds(path) && !path.equals(".git") && !path.equals(TESTS);
    }

    boolean isDocument(String path) {
        return paths.contains(path)
                || ((path.endsWith(".yaml") || path.endsWith(".yml"))
                        && paths.stream().anyMatch(p -> isInside(path, p)));
    }

    /// Whether only a folder may have this name.
    boolean isFolder(String path) {
        return paths.stream().anyMatch(p -> p.startsWith(path + "/"));
    }

    /// Whether a file of this name may be intended as YAML, or lacks the extension.
    static boolean isYamlLike(String path) {
        return YAML_LIKE.matcher(path).find() || path.indexOf('.', path.lastIndexOf('/') + 1) < 0;
    }

    /// Whether the text says so, in any encoding.
    public boolean isOurs(byte[] content) {
        return ours.filter(pattern -> pattern.matcher(new String(content, ISO_8859_1).replace("\0", ""))
                        .find())
                .isPresent();
    }

    /// Whether a name is so similar to that of a file of ours that it was probably intended as that.
    public boolean resembles(String path) {
        return path.indexOf('/') < 0
                && !paths.contains(path)
                && paths.stream().anyMatch(p -> p.indexOf('/') < 0 && plain(p).equals(plain(path)));
    }

    /// The letters of a name without its extension; an impossible name where it is not YAML.
    private static String plain(String name) {
        var ending = YAML_LIKE.matcher(name);
        return ending.find()
                ? name.substring(0, ending.start())
                        .replaceAll("[^\\p{L}\\p{N}]", "")
                        .toLowerCase(Locale.ROOT)
                : "/" + name;
    }

    private static boolean isInside(String path, String folder) {
        return folder.equals("/") || (folder.endsWith("/") && path.startsWith(folder));
    }

    /// For people.
    @Override
    public String toString() {
        return String.join(", ", paths);
    }
}
