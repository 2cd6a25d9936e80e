package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.release.Hazard;
import io.github.etcdgitops.spec.release.Line;
import io.github.etcdgitops.spec.release.Releases;
import io.github.etcdgitops.spec.release.Settings;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.WireName;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads a document of kind Catalog: what is known about the releases of etcd.
public final class CatalogReader {
    /// Members of a later line are not understood, whatever a catalogue says of it.
    private static final EtcdVersion FIRST_NOT_UNDERSTOOD = new EtcdVersion(3, 8, 0);

    private final YamlDocument document;

    private CatalogReader(YamlDocument document) {
        this.document = document;
    }

    /// Checks what the schema cannot.
    static void check(YamlDocument document, Findings findings) {
        new CatalogReader(document).check(findings);
    }

    private void check(Findings findings) {
        date(findings, "spec", "dated");
        var lines = new HashSet<String>();
        each("lines", at -> {
            date(findings, of(at, "ends"));
            for (String field : List.of("newest", "enterUpTo", "leaveFrom")) {
                ofLine(findings, at, field);
            }
            document.text(of(at, "line"))
                    .filter(line -> !lines.add(line))
                    .ifPresent(line -> findings.at(
                            List.of(of(at, "line")),
                            "duplicate-line",
                            "`" + Shown.path(List.of(of(at, "line"))) + "` is " + Shown.quoted(line)
                                    + ", which an earlier line of the catalogue has.",
                            "Keep one of them."));
            return true;
        });
        each("hazards", at -> {
            IntStream.range(0, document.items(of(at, "releases")).size())
                    .forEach(i -> range(findings, of(at, "releases", Integer.toString(i))));
            return true;
        });
        each("advisories", at -> {
            date(findings, of(at, "published"));
            return true;
        });
    }

    private void ofLine(Findings findings, String[] at, String field) {
        String line = document.text(of(at, "line")).orElse("");
        document.text(of(at, field))
                .filter(version -> !version.startsWith(line + "."))
                .ifPresent(version -> findings.at(
                        List.of(of(at, field)),
                        "not-of-this-line",
                        "`" + Shown.path(List.of(of(at, field))) + "` is " + Shown.quoted(version)
                                + ", which is no release of " + line + ".",
                        "Name a release of " + line + "."));
    }

    private void range(Findings findings, String[] at) {
        var from = version(of(at, "from"));
        var below = version(of(at, "below"));
        from.filter(f -> below.filter(b -> f.compareTo(b) >= 0).isPresent())
                .ifPresent(f -> findings.at(
                        List.of(of(at, "below")),
                        "empty-range",
                        "`" + Shown.path(List.of(of(at, "below"))) + "` is not after `from`, " + f
                                + ": no release is in this range.",
                        "Name the first release without the defect."));
    }

    private void date(Findings findings, String... at) {
        document.text(at)
                .filter(text -> day(text).isEmpty())
                .ifPresent(text -> findings.at(
                        List.of(at),
                        "bad-date",
                        "`" + Shown.path(List.of(at)) + "` is " + Shown.quoted(text) + ", which is no date.",
                        "For example \"2026-11-25\"."));
    }

    /// For a document that passed every check. Lines that this program does not understand are left out. `file` is
    /// where the repository has it.
    public static Catalog read(YamlDocument document, Optional<String> file) {
        return new CatalogReader(document).read(file);
    }

    private Catalog read(Optional<String> file) {
        return new Catalog(
                file,
                document.text("spec", "dated").flatMap(CatalogReader::day).orElseThrow(),
                each("lines", this::line).stream()
                        .filter(line -> line.newest().compareTo(FIRST_NOT_UNDERSTOOD) < 0)
                        .toList(),
                each("hazards", this::hazard),
                each("advisories", this::advisory),
                each("settings", this::settings),
                document.keys("spec", "replaced").stream()
                        .collect(Collectors.toUnmodifiableMap(
                                name -> name,
                                name -> document.text("spec", "replaced", name).orElseThrow())));
    }

    private Line line(String[] at) {
        var newest = version(of(at, "newest")).orElseThrow();
        return new Line(
                newest.major(),
                newest.minor(),
                newest,
                version(of(at, "enterUpTo")),
                version(of(at, "leaveFrom")),
                document.text(of(at, "ends")).flatMap(CatalogReader::day));
    }

    private Hazard hazard(String[] at) {
        return new Hazard(
                text(at, "id"),
                IntStream.range(0, document.items(of(at, "releases")).size())
                        .mapToObj(i -> of(at, "releases", Integer.toString(i)))
                        .map(range -> new Releases(
                                version(of(range, "from")).orElseThrow(),
                                version(of(range, "below")).orElseThrow()))
                        .toList(),
                document.text(of(at, "while"))
                        .flatMap(word -> WireName.find(Hazard.While.values(), word))
                        .orElse(Hazard.While.ALWAYS),
                document.texts(of(at, "forbids")),
                document.texts(of(at, "warns")),
                text(at, "reason"),
                text(at, "remedy"));
    }

    private Advisory advisory(String[] at) {
        return new Advisory(
                text(at, "id"),
                document.texts(of(at, "aliases")),
                text(at, "title"),
                day(text(at, "published")).orElseThrow(),
                WireName.find(Advisory.Severity.values(), text(at, "severity")).orElseThrow(),
                document.texts(of(at, "needs")).stream()
                        .flatMap(word -> WireName.find(Advisory.Need.values(), word).stream())
                        .collect(Collectors.toUnmodifiableSet()),
                document.texts(of(at, "fixed")).stream()
                        .flatMap(text -> EtcdVersion.parse(text).stream())
                        .toList());
    }

    private Settings settings(String[] at) {
        return new Settings(
                minor(at, "from").orElse(0),
                minor(at, "below").orElse(Integer.MAX_VALUE),
                document.texts(of(at, "names")));
    }

    /// `3.5` is 5.
    private Optional<Integer> minor(String[] at, String field) {
        return document.text(of(at, field)).map(line -> Integer.valueOf(line.substring(line.indexOf('.') + 1)));
    }

    private String text(String[] at, String field) {
        return document.text(of(at, field)).orElseThrow();
    }

    private Optional<EtcdVersion> version(String... at) {
        return document.text(at).flatMap(EtcdVersion::parse);
    }

    private <T> List<T> each(String list, Function<String[], T> item) {
        return IntStream.range(0, document.items("spec", list).size())
                .mapToObj(i -> item.apply(new String[] {"spec", list, Integer.toString(i)}))
                .toList();
    }

    private static String[] of(String[] at, String... below) {
        return Stream.concat(Stream.of(at), Stream.of(below)).toArray(String[]::new);
    }

    private static Optional<LocalDate> day(String text) {
        try {
            return Optional.of(LocalDate.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
