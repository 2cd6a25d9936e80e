package io.github.etcdgitops.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.spec.value.WireName;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a repository. Never holds a password: addresses are printed, logged and listed by `ps`,
/// so one with credentials is refused. `user` is for SSH only. A local path is absolute.
public record RepositoryAddress(Scheme scheme, Optional<String> user, String host, OptionalInt port, String path) {
    public enum Scheme implements WireName {
        FILE,
        HTTP,
        HTTPS,
        SSH;

        String prefix() {
            return wire() + "://";
        }

        @Override
        public String wire() {
            return switch (this) {
                case FILE -> "file";
                case HTTP -> "http";
                case HTTPS -> "https";
                case SSH -> "ssh";
            };
        }
    }

    private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)(/.*)?");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+]");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^]]*]|[^:]*)(?::([0-9]{1,5}))?");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
    private static final Pattern SCP = Pattern.compile("(?:([^@:/]+)@)?(\\[[^]]*]|[^:/@]+):(.+)");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    /// A relative path is resolved from `workingFolder`. Throws [GitException] INVALID_ADDRESS, without the
    /// address in its message where that may hold a credential.
    public static RepositoryAddress parse(String text, Path workingFolder) {
        if (text.isBlank() || text.chars().anyMatch(Character::isISOControl)) {
            throw invalid("the repository address is empty or has control characters");
        }
        Matcher url = URL.matcher(text);
        if (url.matches()) {
            String path = url.group(3) == null ? "" : url.group(3);
            return ofUrl(url.group(1).toLowerCase(Locale.ROOT), url.group(2), path);
        }
        if (text.matches("[A-Za-z][A-Za-z0-9+.-]*::.*")) {
            throw invalid("an address that names a helper program ('name::address') is not supported");
        }
        Matcher scp = SCP.matcher(text);
        if (scp.matches() && !text.startsWith(".")) {
            String path = scp.group(3);
            return ssh(Optional.ofNullable(scp.group(1)), scp.group(2), path.startsWith("/") ? path : "/" + path);
        }
        return local(text, workingFolder);
    }

    private static RepositoryAddress ofUrl(String scheme, String authority, String path) {
        return switch (scheme) {
            case "file" -> {
                if (!authority.isEmpty() && !authority.equalsIgnoreCase("localhost")) {
                    throw invalid("a file:// address has three slashes: file:///path/to/repository");
                }
                yield local(decoded(path), Path.of("/"));
            }
            case "http", "https" -> http(WireName.find(Scheme.values(), scheme).orElseThrow(), authority, path);
            case "ssh", "git+ssh", "ssh+git" -> {
                int at = authority.lastIndexOf('@');
                Optional<String> user = at < 0 ? Optional.empty() : Optional.of(authority.substring(0, at));
                yield ssh(user, authority.substring(at + 1), path);
            }
            default ->
                throw invalid("addresses begin with file://, https://, http:// or ssh://, or read user@host:path;"
                        + " this one begins otherwise");
        };
    }

    private static RepositoryAddress http(Scheme scheme, String authority, String path) {
        if (authority.contains("@")) {
            throw invalid("the address has a user name or a password in it, which others can read in logs and"
                    + " process lists: leave it out and give the token separately");
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw invalid("the address of a repository has no '?' and no '#'");
        }
        return remote(scheme, Optional.empty(), authority, path);
    }

    private static RepositoryAddress ssh(Optional<String> user, String authority, String path) {
        if (user.filter(u -> !USER.matcher(u).matches()).isPresent()) {
            throw invalid("the user in an SSH address is a plain name, and there is no password: use a key");
        }
        return remote(Scheme.SSH, user, authority, path);
    }

    private static RepositoryAddress remote(Scheme scheme, Optional<String> user, String authority, String path) {
        Matcher matcher = HOST_AND_PORT.matcher(authority);
        if (!matcher.matches() || !HOST.matcher(matcher.group(1)).matches()) {
            throw invalid("the address has no host, or one with invalid characters");
        }
        if (path.replace("/", "").isEmpty()) {
            throw invalid("the address has a host and no path to a repository");
        }
        OptionalInt port =
                matcher.group(2) == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(matcher.group(2)));
        if (port.isPresent() && (port.getAsInt() == 0 || port.getAsInt() > 65_535)) {
            throw invalid("the port of the address is not between 1 and 65535");
        }
        return new RepositoryAddress(scheme, user, matcher.group(1).toLowerCase(Locale.ROOT), port, path);
    }

    private static RepositoryAddress local(String path, Path workingFolder) {
        if (path.isEmpty()) {
            throw invalid("a file:// address has three slashes: file:///path/to/repository");
        }
        try {
            Path absolute =
                    workingFolder.toAbsolutePath().resolve(Path.of(path)).normalize();
            return new RepositoryAddress(Scheme.FILE, Optional.empty(), "", OptionalInt.empty(), absolute.toString());
        } catch (InvalidPathException e) {
            throw new GitException(
                    GitException.Kind.INVALID_ADDRESS, "the repository address is not a valid path here", e);
        }
    }

    private static String decoded(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new GitException(
                    GitException.Kind.INVALID_ADDRESS,
                    "the address has a '%' that is not followed by two hex digits",
                    e);
        }
    }

    private static GitException invalid(String message) {
        return new GitException(GitException.Kind.INVALID_ADDRESS, message);
    }

    public boolean isLocal() {
        return scheme == Scheme.FILE;
    }

    /// Decided by its name alone: a DNS lookup would let others decide.
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /// All spellings of one repository have one key: no user, no default port, no `.git`, no slash at the
    /// end.
    public String key() {
        String trimmed = path.replaceAll("/+$", "").replaceAll("\\.git$", "");
        return scheme.prefix() + host + effectivePort() + (trimmed.isEmpty() ? "/" : trimmed);
    }

    private String effectivePort() {
        int standard = switch (scheme) {
            case FILE -> 0;
            case HTTP -> 80;
            case HTTPS -> 443;
            case SSH -> 22;
        };
        return port.isPresent() && port.getAsInt() != standard ? ":" + port.getAsInt() : "";
    }

    /// For people; safe to print.
    @Override
    public String toString() {
        return isLocal()
                ? path
                : scheme.prefix()
                        + user.map(u -> u + "@").orElse("")
                        + host
                        + (port.isPresent() ? ":" + port.getAsInt() : "")
                        + path;
    }
}
