package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A proxy between us and an HTTPS server. It sees only the server's name: the content is encrypted to the
/// server itself. Without a user and password, which Java does not send to an HTTPS proxy.
public record HttpProxy(String host, int port) {
    private static final Pattern URL = Pattern.compile(
            "(?:(https?)://)?([^/@:\\[\\]]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?/?", Pattern.CASE_INSENSITIVE);
    private static final String NONE = "none";
    private static final int DEFAULT_PORT = 3128;

    /// The given proxy, or else that of the environment: `HTTPS_PROXY`, except for hosts in `NO_PROXY`.
    /// `none` means no proxy. Throws [GitException] INVALID_ADDRESS.
    public static Optional<HttpProxy> of(
            RepositoryAddress address, Optional<String> given, Map<String, String> environment) {
        if (address.scheme() != RepositoryAddress.Scheme.HTTPS) {
            return Optional.empty();
        }
        if (given.isPresent()) {
            return given.get().equals(NONE) ? Optional.empty() : Optional.of(parse(given.get(), "the proxy for Git"));
        }
        return variable(environment, "HTTPS_PROXY")
                .filter(_ -> !spared(address, variable(environment, "NO_PROXY").orElse("")))
                .map(url -> parse(url, "HTTPS_PROXY"));
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT))
                .flatMap(n -> Optional.ofNullable(environment.get(n)).stream())
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    /// As curl and Git read it: names including everything below them, with or without a port, and `*` for
    /// everything.
    private static boolean spared(RepositoryAddress address, String list) {
        int port = address.port().orElse(443);
        return Stream.of(list.split(","))
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .map(entry -> entry.endsWith(":" + port) ? entry.substring(0, entry.lastIndexOf(':')) : entry)
                .map(entry -> entry.replaceFirst("^\\*?\\.", ""))
                .filter(entry -> !entry.isEmpty())
                .anyMatch(entry -> entry.equals("*")
                        || address.host().equals(entry)
                        || address.host().endsWith("." + entry));
    }

    /// The text is not repeated: it may contain a password.
    private static HttpProxy parse(String text, String what) {
        if (text.contains("@")) {
            throw new GitException(
                    Kind.INVALID_ADDRESS,
                    what + " has a user name or a password in it, which is not supported: use a proxy that asks for"
                            + " none");
        }
        Matcher url = URL.matcher(text.strip());
        if (!url.matches() || "https".equalsIgnoreCase(url.group(1))) {
            throw new GitException(Kind.INVALID_ADDRESS, what + " is not of the form http://HOST:PORT");
        }
        int port = url.group(3) == null ? DEFAULT_PORT : Integer.parseInt(url.group(3));
        if (port == 0 || port > 65_535) {
            throw new GitException(Kind.INVALID_ADDRESS, "the port of " + what + " is not between 1 and 65535");
        }
        return new HttpProxy(url.group(2).toLowerCase(Locale.ROOT), port);
    }

    Proxy proxy() {
        return new Proxy(Proxy.Type.HTTP, new InetSocketAddress(host, port));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
