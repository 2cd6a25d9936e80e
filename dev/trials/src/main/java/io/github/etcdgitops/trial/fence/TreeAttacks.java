package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Move;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a contributor of team b can merge that is hard to read, or reads as something else.
final class TreeAttacks {
    private static final String OWN_FILE = "clusters/team-b/own.yaml";

    private TreeAttacks() {}

    static List<Attack> all() {
        return Stream.of(unreadable(), names(), whileTeamAFounds())
                .flatMap(List::stream)
                .toList();
    }

    /// The document of a live ring becomes one that cannot be read: the ring stays, and nobody is advised to delete it.
    private static List<Attack> unreadable() {
        return List.of(
                own("in UTF-16", "[control-character]", text -> text.getBytes(UTF_16LE)),
                own("of nothing", "[empty-file]", _ -> new byte[0]),
                own(
                        "that is a template",
                        "[non-string-key]",
                        text -> text.replace("size: 1", "{{ size }}: {{ 1 }}").getBytes(UTF_8)),
                own("of 300 KiB", "[file-too-large]", text -> (text + "#".repeat(300 << 10)).getBytes(UTF_8)),
                own("that is not UTF-8", "[invalid-utf-8]", text -> (text + "# \u00ff").getBytes(ISO_8859_1)),
                own(
                        "with tabs",
                        "[syntax-error]",
                        text -> text.replace("  ", "\t").getBytes(UTF_8)),
                own("with ten thousand aliases", "[anchor]", _ -> aliases().getBytes(UTF_8)),
                own("nested 20,000 deep", "[nesting-too-deep]", _ -> ("a: " + "[".repeat(20_000)).getBytes(UTF_8)),
                own(
                        "that points to a large file elsewhere",
                        "[lfs-pointer]",
                        _ -> "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n".getBytes(UTF_8)));
    }

    private static String aliases() {
        var text = new StringBuilder("a0: &a0 [x]\n");
        IntStream.range(1, 30)
                .forEach(i -> text.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n"));
        return text.toString();
    }

    private interface Change {
        byte[] of(String text);
    }

    private static Attack own(String how, String fence, Change change) {
        return merges(
                        "a document " + how,
                        arena -> {
                            String text =
                                    Files.readString(arena.bench().git().work().resolve(OWN_FILE));
                            arena.write(OWN_FILE, change.of(text));
                        },
                        fence)
                .proof((arena, run) -> {
                    TrialFailure.unless(arena.founded(arena.attackers(), FenceArena.OWN), "the ring is gone");
                    TrialFailure.unless(!run.log().contains("Tombstone"), "a tombstone is advised: " + run.tail());
                });
    }

    private static List<Attack> names() {
        return List.of(
                merges(
                        "a symbolic link to the document of team a",
                        arena -> Files.createSymbolicLink(
                                work(arena).resolve("clusters/team-b/link.yaml"), Path.of("../team-a/quiet.yaml")),
                        "[symbolic-link]"),
                merges(
                        "a symbolic link out of the repository",
                        arena -> Files.createSymbolicLink(
                                work(arena).resolve("clusters/team-b/passwd.yaml"), Path.of("/etc/passwd")),
                        "[symbolic-link]"),
                merges(
                        "a document that may be run",
                        arena -> {
                            var file = work(arena).resolve("clusters/team-b/run.yaml");
                            Files.writeString(file, "a: 1\n");
                            TrialFailure.unless(file.toFile().setExecutable(true), "the mode cannot be set");
                        },
                        "[not-a-regular-file]"),
                called("a file name with a control sequence", "\u001b[2J\u0007.yaml", "\u001b"),
                called("a file name that reads backwards", "\u202elmay.yaml", "\u202e"),
                called("a file name that is a workflow command", "x\n::error file=y::z.yaml", "\n::error"),
                merges(
                        "1,000 wrong documents",
                        arena -> {
                            for (int i = 0; i < 1000; i++) {
                                arena.write(
                                        "clusters/team-b/wrong-" + i + ".yaml",
                                        "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: w" + i
                                                + "}\nspec: {size: none}\n");
                            }
                        },
                        "[wrong-type]"),
                merges(
                        "40 MB of documents",
                        arena -> {
                            for (int i = 0; i < 200; i++) {
                                arena.write(
                                        "clusters/team-b/large-" + i + ".yaml",
                                        "a" + i + ": " + "x".repeat(200_000) + "\n");
                            }
                        },
                        "[missing-field]"));
    }

    /// A file whose name must not be printed as it is.
    private static Attack called(String what, String name, String raw) {
        return merges(what, arena -> arena.write("clusters/team-b/" + name, "a: 1\n"), "[control-character]")
                .proof((_, run) -> TrialFailure.unless(!run.log().contains(raw), "the name is printed as it is"));
    }

    private static List<Attack> whileTeamAFounds() {
        return List.of(
                founds(
                        "a link",
                        arena -> Files.createSymbolicLink(
                                work(arena).resolve("clusters/team-b/link.yaml"), Path.of("/etc/passwd")),
                        "[symbolic-link]"),
                founds(
                        "a document in UTF-16",
                        arena -> arena.write("clusters/team-b/wide.yaml", "a: 1\n".getBytes(UTF_16LE)),
                        "[control-character]"),
                founds(
                        "a restore in a folder of nobody's kind",
                        arena -> arena.write("policies/team-b/restore.yaml", """
                            apiVersion: etcdgitops.dev/v1alpha1
                            kind: EtcdRestore
                            metadata: {name: loot}
                            spec:
                              cluster: {namespace: %s, name: fresh}
                              from: {url: "s3://loot/any"}
                            """.formatted(arena.victims())),
                        "[wrong-folder]"));
    }

    /// Team a founds a ring in the commit that has the move.
    static Attack founds(String what, Move move, String fence) {
        return merges(
                        what + " while team a founds a ring",
                        arena -> {
                            move.play(arena);
                            arena.write("clusters/team-a/fresh.yaml", arena.ring("fresh", arena.victims(), ""));
                            arena.afterwards(() -> arena.erase("fresh"));
                        },
                        fence)
                .proof((arena, _) ->
                        TrialFailure.unless(arena.founded(arena.victims(), "fresh"), "the ring was not founded"));
    }

    private static Path work(FenceArena arena) {
        return arena.bench().git().work();
    }

    private static Attack merges(String name, Move move, String fence) {
        return Attack.by(Party.CONTRIBUTOR, name, move, fence);
    }
}
