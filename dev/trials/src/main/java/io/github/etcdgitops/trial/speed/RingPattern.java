package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.LocalTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The objects of one real ring at rest, as a server returned them, to be copied for any number of rings. The
/// copies differ in namespace, pod IPs and IDs; their name is the same, so the digests of their templates are too.
final class RingPattern {
    static final String NAME = "orders";
    private static final ObjectMapper JSON = new ObjectMapper();
    private final Map<String, List<Copied>> objects = new LinkedHashMap<>();
    private final Map<String, String> plain;
    private final int members;

    /// A text whose odd pieces name what differs.
    record Copied(List<String> pieces, int members) {
        void append(StringBuilder to, int ring) {
            for (int piece = 0; piece < pieces.size(); piece++) {
                to.append(piece % 2 == 0 ? pieces.get(piece) : value(pieces.get(piece), ring));
            }
        }

        private String value(String what, int ring) {
            int ordinal = what.charAt(what.length() - 1) - '0';
            return switch (what.charAt(0)) {
                case 'n' -> namespace(ring);
                case 'c' -> hex(clusterId(ring));
                case 'i' -> address(ring * members + ordinal);
                case 'm' -> hex(memberId(ring * members + ordinal));
                default -> throw new IllegalStateException(what);
            };
        }
    }

    private RingPattern(Map<String, String> plain, int members) {
        this.plain = plain;
        this.members = members;
    }

    /// Of the only document of a repository. Nothing is started for it.
    static RingPattern atRest(Path documents) throws IOException {
        var spec = SpecLoader.load(LocalTree.repository(documents))
                .rings()
                .values()
                .iterator()
                .next();
        var lists = new LinkedHashMap<String, List<JsonNode>>();
        for (var object : new RingAtRest(spec).objects()) {
            String kind = object.path("kind").asText().toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
            lists.computeIfAbsent(kind, _ -> new ArrayList<>()).add(object);
        }
        return of(lists, Map.of(), spec.ref().namespace(), spec.size());
    }

    /// `lists` are the objects of one ring by the plural of their kind, `plain` other answers by path.
    static RingPattern of(Map<String, List<JsonNode>> lists, Map<String, String> plain, String namespace, int members)
            throws IOException {
        var pattern = new RingPattern(plain, members);
        var marks = marks(lists, namespace, members);
        lists.forEach((kind, items) -> pattern.objects.put(
                kind,
                items.stream()
                        .map(item -> new Copied(cut(item.toString(), marks), members))
                        .toList()));
        return pattern;
    }

    private static Map<String, String> marks(Map<String, List<JsonNode>> lists, String namespace, int members)
            throws IOException {
        var marks = new LinkedHashMap<String, String>();
        for (var pod : lists.getOrDefault("pods", List.of())) {
            String name = pod.path("metadata").path("name").asText();
            marks.put("\"" + pod.path("status").path("podIP").asText() + "\"", "i" + name.charAt(name.length() - 1));
        }
        for (var map : lists.getOrDefault("configmaps", List.of())) {
            if (map.path("data").has("journal.json")) {
                var journal =
                        JSON.readTree(map.path("data").path("journal.json").asText());
                marks.put(journal.path("clusterId").asText(), "c");
                for (int ordinal = 0; ordinal < members; ordinal++) {
                    marks.put(
                            journal.path("members")
                                    .path(Integer.toString(ordinal))
                                    .path("id")
                                    .asText(),
                            "m" + ordinal);
                }
            }
        }
        marks.put(namespace, "n");
        return marks;
    }

    /// The text cut at each mark, the mark's own name between.
    private static List<String> cut(String text, Map<String, String> marks) {
        var any = Pattern.compile(
                String.join("|", marks.keySet().stream().map(Pattern::quote).toList()));
        var pieces = new ArrayList<String>();
        var match = any.matcher(text);
        int from = 0;
        while (match.find()) {
            boolean quoted = match.group().startsWith("\"");
            pieces.add(text.substring(from, match.start()) + (quoted ? "\"" : ""));
            pieces.add(marks.get(match.group()));
            from = match.end() - (quoted ? 1 : 0);
        }
        pieces.add(text.substring(from));
        return List.copyOf(pieces);
    }

    Set<String> kinds() {
        return objects.keySet();
    }

    List<Copied> objects(String kind) {
        return objects.getOrDefault(kind, List.of());
    }

    /// Answers that are the same whatever the fleet, by path.
    Map<String, String> plain() {
        return plain;
    }

    static String namespace(int ring) {
        return String.format(Locale.ROOT, "team-%06d", ring);
    }

    static long clusterId(int ring) {
        return 0x1000_0000_0000_0000L + ring;
    }

    static long memberId(int member) {
        return 0x2000_0000_0000_0000L + member;
    }

    /// Its own address for each member of the fleet.
    static String address(int member) {
        return "127." + (101 + member / 40_000) + "." + member % 40_000 / 200 + "." + (1 + member % 200);
    }

    static int member(byte[] address) {
        return ((address[1] & 255) - 101) * 40_000 + (address[2] & 255) * 200 + (address[3] & 255) - 1;
    }

    private static String hex(long id) {
        return String.format(Locale.ROOT, "%016x", id);
    }
}
