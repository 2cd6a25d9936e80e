package io.github.etcdgitops.place;

import io.github.etcdgitops.place.AllowedPlace.Kind;
import io.github.etcdgitops.spec.value.IpAddress;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Reads places as an operator writes them: one a line, or several with `;` between them.
///
/// ```
/// s3://etcd-backups/production/ region=eu-central-1
/// s3://etcd-backups/ endpoint=http://minio.storage.svc:9000 allow-http
/// gs://etcd-backups/
/// file:///backups/
/// ```
final class PlacesText {
    private static final Pattern URL = Pattern.compile("(?<scheme>s3|gs|file)://(?<bucket>[^/]*)(?<path>/.*)?");
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,220}[A-Za-z0-9])?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final String HTTP = "allow-http";
    private static final String LINK_LOCAL = "allow-link-local";
    private static final String ENDPOINT = "endpoint";
    private static final String REGION_OPTION = "region";
    private static final Set<String> OPTIONS = Set.of(HTTP, LINK_LOCAL, ENDPOINT, REGION_OPTION);

    private PlacesText() {}

    /// A line that says what is wrong with it instead of a place.
    static final class Wrong extends RuntimeException {
        @java.io.Serial
        private static final long serialVersionUID = 1L;

        Wrong(String why) {
            super(why);
        }
    }

    static List<AllowedPlace> places(String text) {
        var places = new ArrayList<AllowedPlace>();
        var lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            for (String one : lines.get(i).split(";", -1)) {
                String line = one.strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                try {
                    places.add(place(line));
                } catch (Wrong e) {
                    throw new Wrong("line " + (i + 1) + " " + e.getMessage());
                }
            }
        }
        return List.copyOf(places);
    }

    private static AllowedPlace place(String line) {
        var words = List.of(line.split("\\s+"));
        var url = URL.matcher(words.getFirst());
        if (!url.matches()) {
            throw new Wrong("does not begin with s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or file:///DIRECTORY");
        }
        var kind = Arrays.stream(Kind.values())
                .filter(k -> k.scheme().equals(url.group("scheme") + "://"))
                .findFirst()
                .orElseThrow();
        String bucket = url.group("bucket");
        String path = Optional.ofNullable(url.group("path")).orElse("/");
        String below = path.substring(1);
        if (!below.isEmpty() && !AllowedPlace.plainPath(below)) {
            throw new Wrong("has a path with an empty segment, '.', '..', a wildcard, or a character that is not"
                    + " allowed; a place covers everything below it");
        }
        String prefix = below.isEmpty() || below.endsWith("/") ? below : below + "/";
        return kind == Kind.FILE ? directory(bucket, prefix, words) : bucket(kind, bucket, prefix, options(words));
    }

    private static AllowedPlace directory(String host, String prefix, List<String> words) {
        if (!host.isEmpty() || prefix.isEmpty()) {
            throw new Wrong("must be an absolute path of a directory, such as file:///backups/");
        }
        if (words.size() > 1) {
            throw new Wrong("has an option, and directories take none");
        }
        return new AllowedPlace(Kind.FILE, "", "/" + prefix, Optional.empty(), false);
    }

    private static AllowedPlace bucket(Kind kind, String bucket, String prefix, Map<String, String> options) {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new Wrong("has no valid bucket name after " + kind.scheme());
        }
        var endpoint = endpoint(kind, options);
        boolean linkLocal = options.containsKey(LINK_LOCAL);
        if (!endpoint.tls() && !endpoint.loopback() && !options.containsKey(HTTP)) {
            throw new Wrong("has an endpoint without TLS: use https://, or add " + HTTP
                    + " if everybody on the network path may read credentials and backups");
        }
        if (endpoint.address().filter(IpAddress::noServer).isPresent()) {
            throw new Wrong("has an endpoint whose address cannot belong to a server");
        }
        if (!linkLocal && endpoint.address().filter(IpAddress::linkLocal).isPresent()) {
            throw new Wrong(
                    "has an endpoint at a link-local or metadata address; add " + LINK_LOCAL + " if that is intended");
        }
        return new AllowedPlace(kind, bucket, prefix, Optional.of(endpoint), linkLocal);
    }

    private static StoreEndpoint endpoint(Kind kind, Map<String, String> options) {
        var written = Optional.ofNullable(options.get(ENDPOINT));
        var region = Optional.ofNullable(options.get(REGION_OPTION));
        if (region.isPresent() && (kind == Kind.GS || written.isPresent())) {
            throw new Wrong("has a region, which is only for s3:// without an endpoint");
        }
        if (region.filter(r -> !REGION.matcher(r).matches()).isPresent()) {
            throw new Wrong("has an invalid region");
        }
        Supplier<StoreEndpoint> implied = () -> kind == Kind.GS
                ? AllowedPlace.google()
                : region.map(AllowedPlace::amazon)
                        .orElseThrow(() -> new Wrong("names neither endpoint=URL nor, for AWS, region=NAME"));
        return written.map(text -> StoreEndpoint.parse(text)
                        .orElseThrow(() -> new Wrong("has an invalid endpoint; expected " + StoreEndpoint.EXPECTED)))
                .orElseGet(implied);
    }

    private static Map<String, String> options(List<String> words) {
        var options = new HashMap<String, String>();
        for (String word : words.subList(1, words.size())) {
            String name = word.replaceFirst("=.*", "");
            boolean valued = name.equals(ENDPOINT) || name.equals(REGION_OPTION);
            if (!OPTIONS.contains(name) || valued != word.contains("=")) {
                throw new Wrong(
                        "has an unknown option; options are endpoint=URL, region=NAME, " + HTTP + " and " + LINK_LOCAL);
            }
            if (options.put(name, valued ? word.substring(name.length() + 1) : "") != null) {
                throw new Wrong("has the option " + name + " twice");
            }
        }
        return options;
    }
}
