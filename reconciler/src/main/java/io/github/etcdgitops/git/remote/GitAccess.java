package io.github.etcdgitops.git.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.repository.GitException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/// Our identity at a Git server, and whom we trust. `token` is a password for `https://`, sent only to that
/// server; `sshKey` and `knownHosts` are both needed for `ssh://`, where nothing else is used: no agent, no
/// `~/.ssh`. Unsafe: `allowPlainHttp` sends everything in plain text, the token included. `ca` has the CAs
/// for `https://`, instead of Java's own; `proxy` is for `https://` as well.
public record GitAccess(
        Optional<String> token,
        Optional<String> username,
        Optional<Path> sshKey,
        Optional<Path> knownHosts,
        boolean allowPlainHttp,
        Optional<Path> ca,
        Optional<HttpProxy> proxy) {
    /// Git hosts that accept a token ignore the name, or require this one.
    static final String DEFAULT_USERNAME = "x-access-token";

    public GitAccess {
        token.ifPresent(t -> requireOneLine(t, "the token"));
        username.ifPresent(u -> requireOneLine(u, "the user name"));
    }

    public static GitAccess none() {
        return with(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static GitAccess token(String token) {
        return with(Optional.of(token), Optional.empty(), Optional.empty());
    }

    public static GitAccess ssh(Path key, Path knownHosts) {
        return with(Optional.empty(), Optional.of(key), Optional.of(knownHosts));
    }

    private static GitAccess with(Optional<String> token, Optional<Path> key, Optional<Path> knownHosts) {
        return new GitAccess(token, Optional.empty(), key, knownHosts, false, Optional.empty(), Optional.empty());
    }

    /// The same with these CAs and this proxy for HTTPS.
    public GitAccess by(Optional<Path> authorities, Optional<HttpProxy> through) {
        return new GitAccess(token, username, sshKey, knownHosts, allowPlainHttp, authorities, through);
    }

    String usernameOrDefault() {
        return username.orElse(DEFAULT_USERNAME);
    }

    /// Whether a text contains the token, plain or in the form of a header.
    public boolean occursIn(String text) {
        return token.filter(t -> text.contains(t) || text.contains(basic(t))).isPresent();
    }

    public String leftOut(String text, String mark) {
        return token.map(t -> text.replace(basic(t), mark).replace(t, mark)).orElse(text);
    }

    private String basic(String secret) {
        return Base64.getEncoder().encodeToString((usernameOrDefault() + ":" + secret).getBytes(UTF_8));
    }

    private static void requireOneLine(String value, String what) {
        if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
            throw new GitException(
                    GitException.Kind.INVALID_ADDRESS,
                    what + " for Git is blank or has a line break or another control character");
        }
    }

    /// Without the token.
    @Override
    public String toString() {
        return "GitAccess[token=" + (token.isPresent() ? "***" : "none") + ", username=" + username.orElse("none")
                + ", sshKey=" + sshKey + ", knownHosts=" + knownHosts + ", allowPlainHttp=" + allowPlainHttp + ", ca="
                + ca
                + ", proxy=" + proxy + "]";
    }
}
