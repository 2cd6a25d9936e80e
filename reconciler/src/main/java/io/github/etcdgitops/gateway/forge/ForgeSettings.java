package io.github.etcdgitops.gateway.forge;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Which forge, its address, the repository there, and the token. `ca` has the CAs for its certificate,
/// instead of Java's own. `patience` limits each request.
public record ForgeSettings(
        Forge.Kind kind, URI api, String repository, String token, Optional<Path> ca, Duration patience) {
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    private static final Set<String> LOOPBACK = Set.of("localhost", "[::1]", "::1");

    public ForgeSettings {
        requireAddress(api);
        requireRepository(kind, repository);
        // Other characters are invalid in a header, and the exception would repeat the token.
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new GatewayException(
                    Kind.UNAUTHORIZED, false, "the token is empty, or has a space or another invalid character");
        }
    }

    private static void requireAddress(URI api) {
        String scheme = api.getScheme() == null ? "" : api.getScheme().toLowerCase(Locale.ROOT);
        String host = api.getHost() == null ? "" : api.getHost().toLowerCase(Locale.ROOT);
        boolean loopback = LOOPBACK.contains(host) || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
        boolean safe = scheme.equals("https") || (scheme.equals("http") && loopback);
        if (!safe || host.isEmpty() || api.getRawUserInfo() != null || api.getRawQuery() != null) {
            throw new GatewayException(Kind.REJECTED, false, """
                the address of the API must be https://HOST[:PORT]/PATH, without a user, a password or a query; \
                http:// is only for loopback\
                """);
        }
    }

    private static void requireRepository(Forge.Kind kind, String repository) {
        String[] parts = repository.split("/", -1);
        boolean number = kind == Forge.Kind.GITLAB && repository.matches("[1-9][0-9]{0,17}");
        boolean deep = kind == Forge.Kind.GITLAB ? parts.length >= 2 && parts.length <= 22 : parts.length == 2;
        for (String part : parts) {
            deep = deep && SEGMENT.matcher(part).matches() && !part.equals(".") && !part.equals("..");
        }
        if (!number && !deep) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "the repository must be OWNER/NAME" + (kind == Forge.Kind.GITLAB ? ", or a project's number" : ""));
        }
    }

    /// Without the token.
    @Override
    public String toString() {
        return "ForgeSettings[" + kind + ", " + api + ", " + repository + "]";
    }
}
