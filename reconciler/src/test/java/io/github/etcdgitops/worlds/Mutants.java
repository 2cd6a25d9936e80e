package io.github.etcdgitops.worlds;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/// Tests the tests: breaks the safety of the product in one named way at a time and demands that a test notices. The
/// working tree is read, never written. Started by the script `dev/mutants`.
final class Mutants {
    private static final Path FOLDER = Path.of("reconciler/src/test/mutants");
    private static final Path SOURCES = Path.of("reconciler/src/test/java");
    private static final Path WORK = Path.of("reconciler/target/mutants");
    private static final long MINUTES = 20;

    /// The product as it is: what fails on it says nothing about mutants.
    private static final String CONTROL = "no-mutant";

    private record Edit(Path file, String find, String replace) {}

    private Mutants() {}

    public static void main(String[] names) throws Exception {
        var every = everyName();
        var all = names.length == 0 ? every : List.of(names);
        if (!every.containsAll(all)) {
            System.err.println("usage: dev/mutants [NAME…]; there are " + String.join(" ", every));
            System.exit(64);
        }
        var first = new TreeSet<String>();
        for (String name : all) {
            first.addAll(firstTests(FOLDER.resolve(name + ".mutant")));
        }
        if (!survives(List.copyOf(first))) {
            System.err.println("the tests fail without any mutant: see " + WORK.resolve(CONTROL));
            System.exit(1);
        }
        var trials = new ArrayList<Callable<Boolean>>();
        all.forEach(name -> trials.add(() -> killed(name)));
        boolean good = true;
        try (var two = Executors.newFixedThreadPool(2)) {
            for (var result : two.invokeAll(trials)) {
                good &= result.get();
            }
        }
        System.exit(good ? 0 : 1);
    }

    private static List<String> everyName() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".mutant"))
                    .map(f -> f.substring(0, f.length() - ".mutant".length()))
                    .sorted()
                    .toList();
        }
    }

    private static boolean killed(String name) throws IOException, InterruptedException {
        var work = WORK.resolve(name);
        Files.createDirectories(work.resolve("classes"));
        var edits = read(FOLDER.resolve(name + ".mutant"));
        var changed = new LinkedHashMap<Path, String>();
        for (var edit : edits) {
            String text = changed.containsKey(edit.file()) ? changed.get(edit.file()) : Files.readString(edit.file());
            if (edit.find().isEmpty() || text.split(java.util.regex.Pattern.quote(edit.find()), -1).length != 2) {
                return told("DOES NOT APPLY " + name + ": not exactly once in " + edit.file(), false);
            }
            changed.put(edit.file(), text.replace(edit.find(), edit.replace()));
        }
        if (changed.isEmpty() || !compiles(work, changed)) {
            return told("DOES NOT COMPILE " + name + ": see " + work, false);
        }
        return tried(name, work, firstTests(FOLDER.resolve(name + ".mutant")));
    }

    private static boolean compiles(Path work, Map<Path, String> changed) throws IOException {
        var command = new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp", classPath()));
        command.addAll(List.of("-d", work.resolve("classes").toString()));
        for (var file : changed.entrySet()) {
            var copy = work.resolve(file.getKey().getFileName());
            Files.writeString(copy, file.getValue());
            command.add(copy.toString());
        }
        try (var messages = Files.newOutputStream(work.resolve("compiler.txt"))) {
            return ToolProvider.getSystemJavaCompiler().run(null, messages, messages, command.toArray(String[]::new))
                    == 0;
        }
    }

    /// Whether the named tests pass on the product as it is. The worlds do in each build.
    private static boolean survives(List<String> first) throws IOException, InterruptedException {
        Files.createDirectories(WORK.resolve(CONTROL).resolve("classes"));
        var only = new ArrayList<>(first);
        only.add(MutantTrial.ONLY);
        return said(WORK.resolve(CONTROL), only).lines().anyMatch("survived"::equals);
    }

    private static boolean tried(String name, Path work, List<String> tests) throws IOException, InterruptedException {
        String said = said(work, tests);
        var verdict = said.lines().filter(l -> l.startsWith("killed by ")).findFirst();
        return verdict.map(v -> told("killed " + name + v.substring("killed".length()), true))
                .orElseGet(() -> told(
                        (said.lines().anyMatch("survived"::equals) ? "SURVIVED " : "BROKE DOWN ") + name + ": see "
                                + work,
                        false));
    }

    /// What the tests print when the classes of this folder come first.
    private static String said(Path work, List<String> tests) throws IOException, InterruptedException {
        var output = work.resolve("tests.txt").toFile();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Dworlds.first=true",
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=1",
                "-cp",
                work.resolve("classes") + File.pathSeparator + classPath(),
                MutantTrial.class.getName()));
        command.addAll(tests);
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return Files.readString(output.toPath());
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static synchronized boolean told(String line, boolean good) {
        System.out.println(line);
        return good;
    }

    /// Those that are likely to notice it, in a line `tests:`, as `Class` or `Class#method`: they run before the
    /// worlds.
    /// With the full names of the classes.
    private static List<String> firstTests(Path mutant) throws IOException {
        var names = new ArrayList<String>();
        for (String line : Files.readAllLines(mutant)) {
            if (line.startsWith("tests: ")) {
                for (String named : line.substring("tests: ".length()).split(" ")) {
                    String simple = named.replaceFirst("#.*", "");
                    names.add(fullName(simple, mutant) + named.substring(simple.length()));
                }
            }
        }
        return names;
    }

    private static String fullName(String simple, Path mutant) throws IOException {
        try (var files = Files.walk(SOURCES)) {
            return files.filter(file -> file.endsWith(simple + ".java"))
                    .map(file -> SOURCES.relativize(file).toString())
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace(File.separatorChar, '.'))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(mutant + " names no test: " + simple));
        }
    }

    /// One or more of `file:`, `find:`, block, `replace:`, block. A block's last line break is not part of it.
    private static List<Edit> read(Path mutant) throws IOException {
        var edits = new ArrayList<Edit>();
        for (String part : Files.readString(mutant).split("(?m)^file: ")) {
            int find = part.indexOf("\nfind:\n");
            int replace = part.indexOf("\nreplace:\n");
            if (find >= 0 && replace > find) {
                edits.add(new Edit(
                        Path.of(part.substring(0, find).strip()),
                        part.substring(find + "\nfind:\n".length(), replace),
                        cut(part.substring(replace + "\nreplace:\n".length()))));
            }
        }
        return edits;
    }

    private static String cut(String block) {
        return block.endsWith("\n") ? block.substring(0, block.length() - 1) : block;
    }
}
