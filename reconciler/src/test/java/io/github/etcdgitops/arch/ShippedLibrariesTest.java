package io.github.etcdgitops.arch;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// What is shipped is what `libraries.txt` lists, byte for byte, and each library has a licence that allows it.
///
/// The list of components is the one that the build writes into the jar.
class ShippedLibrariesTest {
    private static final Path LIST = Path.of("libraries.txt");
    private static final Path META_INF = Path.of("target/classes/META-INF");

    /// By SPDX identifier, or by the name in the library's POM where that is none: Bouncy Castle's is MIT, Go's is
    /// BSD-3-Clause.
    private static final Set<String> ALLOWED =
            Set.of("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0", "Bouncy Castle Licence", "Go License");

    /// The licence under which a library is used that is offered under several.
    private static final Map<String, String> CHOSEN = Map.of(
            "io.vertx:vertx-core", "Apache-2.0",
            "io.vertx:vertx-core-logging", "Apache-2.0",
            "io.vertx:vertx-grpc", "Apache-2.0");

    /// These ask for nothing, or for a text that the jar has as its own `META-INF/LICENSE`.
    private static final Set<String> TEXT_KNOWN = Set.of("Apache-2.0", "MIT-0");

    @Test
    void everyLibraryHasOneAllowedLicence() {
        assertThat(Library.all().map(ShippedLibrariesTest::objection).filter(o -> !o.isEmpty()))
                .as("licences; see docs/supply-chain.md")
                .isEmpty();
    }

    private static String objection(Library library) {
        String chosen = CHOSEN.get(library.name());
        if (chosen != null) {
            return library.licences().size() > 1 && library.licences().contains(chosen)
                    ? ""
                    : library.coordinates() + ": is not offered under several licences, " + chosen + " among them";
        }
        return switch (library.licences().size()) {
            case 0 -> library.coordinates() + ": its POM names no licence";
            case 1 ->
                ALLOWED.containsAll(library.licences())
                        ? ""
                        : library.coordinates() + ": " + library.licences().getFirst() + " is not allowed";
            default -> library.coordinates() + ": choose one of " + library.licences();
        };
    }

    @Test
    void everyLibraryIsOnTheList() throws IOException {
        String actual = Library.all().map(Library::line).sorted().collect(joining("\n", "", "\n"));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(LIST, actual);
        }
        assertThat(Files.readString(LIST))
                .as("reconciler/libraries.txt; -Dgolden.update=true writes it")
                .isEqualTo(actual);
    }

    /// The tests ran with what is listed.
    @Test
    void testsRunWithTheListedLibraries() {
        assertThat(Library.all()
                        .filter(library -> !sha256(library.jar()).equals(library.sha256()))
                        .map(Library::coordinates))
                .isEmpty();
    }

    /// Two generations of one library, such as Jackson 2 and 3, have one artifact name in two groups.
    @Test
    void noLibraryIsShippedTwice() {
        var groups = new TreeMap<String, Set<String>>();
        Library.all()
                .forEach(library -> groups.computeIfAbsent(library.artifact(), _ -> new TreeSet<>())
                        .add(library.coordinates()));

        assertThat(groups.values()).allMatch(generations -> generations.size() == 1);
    }

    @Test
    void shipsTextOfEveryLicence() {
        assertThat(Library.all()
                        .filter(library ->
                                !TEXT_KNOWN.containsAll(library.licences()) && !CHOSEN.containsKey(library.name()))
                        .filter(library -> !hasText(library.jar())
                                && !Files.exists(META_INF.resolve("licenses/" + library.artifact() + ".txt")))
                        .map(Library::coordinates))
                .as("libraries without a licence in their jar or in META-INF/licenses/ARTIFACT.txt")
                .isEmpty();
        assertThat(META_INF.resolve("LICENSE")).isRegularFile();
        assertThat(META_INF.resolve("NOTICE")).isRegularFile();
    }

    private static boolean hasText(Path jar) {
        try (var file = new JarFile(jar.toFile())) {
            return file.stream().anyMatch(entry -> entry.getName().matches("(?i)(.*/)?(about|LICEN[CS]E)[^/]*"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// One component of the SBOM.
    private record Library(String name, String version, List<String> licences, String sha256) {
        private static final List<Path> CLASS_PATH = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();

        static Stream<Library> all() {
            Path sbom = META_INF.resolve("sbom/application.cdx.json");
            assertThat(sbom)
                    .as("the SBOM, which `./mvnw process-resources` writes unless Maven is offline")
                    .isRegularFile();
            try {
                return stream(new ObjectMapper().readTree(sbom.toFile()).required("components"))
                        .map(Library::of);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Library of(JsonNode component) {
            return new Library(
                    component.required("group").asText() + ":"
                            + component.required("name").asText(),
                    component.required("version").asText(),
                    stream(component.path("licenses")).map(Library::licence).toList(),
                    stream(component.required("hashes"))
                            .filter(hash -> hash.required("alg").asText().equals("SHA-256"))
                            .map(hash -> hash.required("content").asText())
                            .findFirst()
                            .orElseThrow());
        }

        private static String licence(JsonNode choice) {
            return choice.has("expression")
                    ? choice.required("expression").asText()
                    : choice.required("license")
                            .path("id")
                            .asText(choice.required("license").path("name").asText());
        }

        private static Stream<JsonNode> stream(JsonNode array) {
            return StreamSupport.stream(array.spliterator(), false);
        }

        String artifact() {
            return name.split(":")[1];
        }

        String coordinates() {
            return name + ":" + version;
        }

        Path jar() {
            return CLASS_PATH.stream()
                    .filter(path -> path.endsWith(artifact() + "-" + version + ".jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(coordinates() + " is not on the class path of the tests"));
        }

        String line() {
            return coordinates() + "  " + String.join(" or ", licences) + "  sha256:" + sha256;
        }
    }
}
