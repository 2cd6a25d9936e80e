package io.github.etcdgitops.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.PolicyTestReader;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.PolicyTest;
import io.github.etcdgitops.spec.PolicyTest.Given;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The tests of a repository's policies, and the documents of their cases. `violations` are of unreadable
/// tests; they are not among `tests`.
public record PolicyTests(List<Found> tests, List<Violation> violations) {
    public PolicyTests {
        tests = List.copyOf(tests);
        violations = List.copyOf(violations);
    }

    /// A test, and its file.
    public record Found(PolicyTest test, Path file) {}

    /// Reads files, and the YAML files of folders. Documents of other kinds are material for cases: they
    /// are read when a case names them.
    public static PolicyTests read(List<Path> paths) {
        var tree = LocalTree.files(paths);
        var tests = new ArrayList<Found>();
        var violations = new ArrayList<>(tree.violations());
        tree.documents().forEach((file, bytes) -> {
            var yaml = YamlDocuments.read(file, bytes);
            for (var document : yaml.documents()) {
                var assessed = Assessed.of(document, Optional.empty());
                if (assessed.is(DocumentKind.POLICY_TEST) && assessed.good()) {
                    tests.add(new Found(PolicyTestReader.read(document), Path.of(file)));
                } else if (assessed.is(DocumentKind.POLICY_TEST)
                        || assessed.kind().isEmpty()) {
                    violations.addAll(assessed.violations());
                }
            }
            violations.addAll(yaml.violations());
        });
        return new PolicyTests(tests, violations);
    }

    /// The documents of a case as a repository would have them, and where each was written.
    public record Material(SourceTree tree, SortedMap<String, String> origins) {
        /// A location, as the author of the test knows it.
        public String title(Location at) {
            String origin = origins.get(at.file());
            return origin == null
                    ? at.toString()
                    : origin + at.toString().substring(at.file().length());
        }
    }

    /// Each document goes to the folder of its kind, rings below `home`. A file below the `root`'s own
    /// `clusters/` keeps its path there: the Fleet may derive environments from it.
    public static Material material(Path root, String home, Path test, List<Given> given) {
        var documents = new TreeMap<String, byte[]>();
        var origins = new TreeMap<String, String>();
        var violations = new ArrayList<Violation>();
        for (var one : given) {
            switch (one) {
                case Given.File(String path, Location at) -> {
                    var file = test.resolveSibling(path).normalize();
                    var read = LocalTree.files(List.of(file));
                    read.violations().forEach(v -> violations.add(new Violation(v.code(), at, v.message(), v.hint())));
                    read.documents().values().forEach(bytes -> {
                        String place = place(root, home, file, bytes);
                        documents.put(place, bytes);
                        origins.put(place, file.toString());
                    });
                }
                case Given.Written(Map<String, Object> document, Location at) -> {
                    byte[] bytes = bytes(document);
                    String place = below(folder(bytes), home) + "line-" + at.line() + "-" + at.column() + ".yaml";
                    documents.put(place, bytes);
                    origins.put(place, at.file() + ":" + at.line() + " (as written there)");
                }
            }
        }
        return new Material(new SourceTree("", documents, violations, ""), origins);
    }

    /// The rules of a repository: its policies and its Fleet.
    public static SourceTree rules(SourceTree repository) {
        var rules = new TreeMap<>(repository.documents());
        rules.keySet().removeIf(file -> !Folder.isRule(file));
        var violations = repository.violations().stream()
                .filter(v -> Folder.isRule(v.at().file()))
                .toList();
        return new SourceTree(repository.commit(), rules, violations, repository.digest());
    }

    /// Those rules, with the documents of a case.
    public static SourceTree with(SourceTree rules, Material material) {
        var all = new TreeMap<>(rules.documents());
        all.putAll(material.tree().documents());
        var violations = Stream.concat(rules.violations().stream(), material.tree().violations().stream())
                .toList();
        return new SourceTree(rules.commit(), all, violations, rules.digest());
    }

    private static String place(Path root, String home, Path file, byte[] bytes) {
        var name = root.toAbsolutePath()
                .normalize()
                .relativize(file.toAbsolutePath().normalize())
                .toString();
        var folder = folder(bytes);
        return folder.holds(name)
                ? name
                : below(folder, home) + name.replace("../", "").replace('/', '-');
    }

    private static String below(Folder folder, String home) {
        return folder == Folder.CLUSTERS ? home : folder.path();
    }

    /// The folder of the first document with a recognizable kind.
    private static Folder folder(byte[] bytes) {
        return YamlDocuments.read("", bytes).documents().stream()
                .flatMap(document -> document.text("kind").flatMap(DocumentKind::of).stream())
                .map(DocumentKind::folder)
                .findFirst()
                .orElse(Folder.CLUSTERS);
    }

    private static byte[] bytes(Map<String, Object> document) {
        try {
            return new JsonMapper().writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was read as JSON can be written as such", e);
        }
    }
}
