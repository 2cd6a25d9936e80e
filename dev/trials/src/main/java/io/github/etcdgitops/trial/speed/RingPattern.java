package io.github.etcdgitops.trial.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.trial.bench.Command;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
    private static final String NAMESPACE = "pattern";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> PATHS = List.of(
            "/apis/apps/v1/statefulsets",
            "/api/v1/pods",
            "/api/v1/persistentvolumeclaims",
            "/api/v1/configmaps",
            "/api/v1/services",
            "/apis/policy/v1/poddisruptionbudgets",
            "/apis/networking.k8s.io/v1/networkpolicies");

    private final Map<String, List<Copied>> objects = new LinkedHashMap<>();
    private final Map<String, String> plain = new LinkedHashMap<>();
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

    private RingPattern(int members) {
        this.members = members;
    }

    /// Starts one ring in a sandbox, and copies its objects.
    static RingPattern ofSandbox(Path folder, int members) throws IOException, InterruptedException {
        String sandbox = Measuring.root().resolve("sandbox/sandbox").toString();
        String there = folder.resolve("sandbox").toString();
        System.err.println("benchmarks: starting one ring in a sandbox, as the pattern…");
        Command.run(folder, sandbox, "up", "--dir", there);
        try {
            Path kubeconfig = folder.resolve("sandbox").resolve("kubeconfig");
            var documents = FleetDocuments.write(folder.resolve("pattern"), List.of(NAMESPACE), members);
            var environment = new HashMap<>(
                    FleetDocuments.environment(documents, Files.createDirectory(folder.resolve("pattern-cache"))));
            environment.put("KUBECONFIG", kubeconfig.toString());
            Measuring.tool("the first run", environment, "reconcile").run();
            return read(server(kubeconfig), members);
        } finally {
            Command.run(folder, sandbox, "down", "--dir", there);
        }
    }

    private static String server(Path kubeconfig) throws IOException {
        String text = Files.readString(kubeconfig);
        return text.replaceFirst("(?s).*server: \"(http://[^\"]*)\".*", "$1");
    }

    /// From the API server at `url`, where only this ring exists.
    private static RingPattern read(String url, int members) throws IOException, InterruptedException {
        var pattern = new RingPattern(members);
        try (var http = HttpClient.newHttpClient()) {
            for (String path : List.of("/version", "/apis/policy")) {
                pattern.plain.put(path, get(http, url + path));
            }
            var lists = new LinkedHashMap<String, JsonNode>();
            for (String path : PATHS) {
                lists.put(path.substring(path.lastIndexOf('/') + 1), JSON.readTree(get(http, url + path)));
            }
            var marks = marks(lists, members);
            lists.forEach((kind, list) -> {
                var copies = new ArrayList<Copied>();
                list.path("items").forEach(item -> {
                    if (item.path("metadata").path("namespace").asText().equals(NAMESPACE)) {
                        copies.add(new Copied(cut(item.toString(), marks), members));
                    }
                });
                pattern.objects.put(kind, copies);
            });
        }
        return pattern;
    }

    private static Map<String, String> marks(Map<String, JsonNode> lists, int members) throws IOException {
        var marks = new LinkedHashMap<String, String>();
        for (var pod : lists.get("pods").path("items")) {
            String name = pod.path("metadata").path("name").asText();
            marks.put("\"" + pod.path("status").path("podIP").asText() + "\"", "i" + name.charAt(name.length() - 1));
        }
        for (var map : lists.get("configmaps").path("items")) {
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
        marks.put(NAMESPACE, "n");
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

    private static String get(HttpClient http, String url) throws IOException, InterruptedException {
        var answer = http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(url + " answers " + answer.statusCode());
        }
        return answer.body();
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
