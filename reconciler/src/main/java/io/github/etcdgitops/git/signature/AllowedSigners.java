package io.github.etcdgitops.git.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.eclipse.jgit.internal.signing.ssh.OpenSshSigningKeyDatabase;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.GpgConfig;
import org.eclipse.jgit.signing.ssh.VerificationException;

/// The allowed signers, and revoked keys: two OpenSSH files, which must be stored where the writers of the
/// repository cannot change them.
///
/// They are read once and kept as copies in our own folder. JGit reads such files lazily, and treats a
/// missing one as empty: a list of revoked keys would be lost.
public final class AllowedSigners implements AutoCloseable {
    private static final long LARGEST = 4L << 20;
    private static final Pattern KEY = Pattern.compile("(?:^|\\s)((?:ssh|ecdsa|sk)-\\S+)\\s+(AAAA[A-Za-z0-9+/=]+)");

    /// JGit's text about a line; only the number is passed on.
    private static final Pattern LINE = Pattern.compile("at line (\\d+)");

    private final Path folder;
    private final GpgConfig rules;
    private final List<PublicKey> keys;
    private final Set<String> forges;

    private AllowedSigners(Path folder, GpgConfig rules, List<PublicKey> keys, Set<String> forges) {
        this.folder = folder;
        this.rules = rules;
        this.keys = List.copyOf(keys);
        this.forges = Set.copyOf(forges);
    }

    /// `allowed` is like Git's `gpg.ssh.allowedSignersFile`, `revoked` like `gpg.ssh.revocationFile`: a key
    /// revocation list or public keys, one per line. Throws [GitException] SIGNERS for unusable files, and
    /// for one without allowed signers.
    public static AllowedSigners read(Path allowed, Optional<Path> revoked, Path cacheDir) {
        byte[] signers = content(allowed, "the allowed signers");
        Optional<byte[]> gone =
                revoked.map(file -> content(file, "the revoked signers")).filter(AllowedSigners::says);
        List<PublicKey> keys = keys(signers, allowed);
        try {
            Files.createDirectories(cacheDir);
            Path folder = Files.createTempDirectory(cacheDir.toAbsolutePath(), "signers-");
            var config = new Config();
            config.setString("gpg", "ssh", "allowedSignersFile", copy(folder, "allowed", signers));
            if (gone.isPresent()) {
                config.setString("gpg", "ssh", "revocationFile", copy(folder, "revoked", gone.get()));
            }
            var read = new AllowedSigners(folder, new GpgConfig(config), keys, Set.of());
            read.requireUnderstood(allowed, revoked);
            return read;
        } catch (IOException e) {
            throw new GitException(
                    Kind.CACHE, "the folder for the Git cache cannot be used: is it writable, and not full?", e);
        }
    }

    private static byte[] content(Path file, String what) {
        try {
            if (Files.size(file) <= LARGEST) {
                return Files.readAllBytes(file);
            }
        } catch (IOException e) {
            throw new GitException(Kind.SIGNERS, "the file with " + what + " cannot be read: " + file, e);
        }
        throw new GitException(Kind.SIGNERS, "the file with " + what + " is too large: " + file);
    }

    /// Whether it has more than blank lines and comments. A ConfigMap starts like that, before any key is
    /// revoked.
    private static boolean says(byte[] content) {
        return new String(content, UTF_8).lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#"));
    }

    private static String copy(Path folder, String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toRealPath().toString();
    }

    private static List<PublicKey> keys(byte[] signers, Path file) {
        var keys = new ArrayList<PublicKey>();
        new String(signers, UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(KEY::matcher)
                .forEach(line -> {
                    if (!line.find()) {
                        throw new GitException(Kind.SIGNERS, "a line without a public key in " + file);
                    }
                    keys.add(key(line.group(1) + " " + line.group(2), file));
                });
        if (keys.isEmpty()) {
            throw new GitException(Kind.SIGNERS, file + " allows no signer");
        }
        return keys;
    }

    private static PublicKey key(String text, Path file) {
        try {
            return PublicKeyEntry.parsePublicKeyEntry(text)
                    .resolvePublicKey(null, null, PublicKeyEntryResolver.FAILING);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new GitException(Kind.SIGNERS, "a public key in " + file + " cannot be understood", e);
        }
    }

    /// Parses both files in the same way as for the check of a signature.
    private void requireUnderstood(Path allowed, Optional<Path> revoked) {
        var database = new OpenSshSigningKeyDatabase();
        Path file = allowed;
        try {
            try {
                database.isAllowed(null, rules, keys.getFirst(), "git", null);
            } catch (VerificationException _) {
                // Not valid just now, which is checked elsewhere.
            }
            file = revoked.orElse(allowed);
            database.isRevoked(null, rules, keys.getFirst());
        } catch (IOException | RuntimeException e) {
            close();
            var line = LINE.matcher(String.valueOf(e.getMessage()));
            throw new GitException(
                    Kind.SIGNERS,
                    file + " cannot be understood" + (line.find() ? ", line " + line.group(1) : "")
                            + ": it has the format that ssh-keygen describes");
        }
    }

    GpgConfig rules() {
        return rules;
    }

    /// The same, where signers with these names sign other people's commits. Closing either closes both.
    public AllowedSigners withForges(Set<String> names) {
        return new AllowedSigners(folder, rules, keys, names);
    }

    boolean isForge(String name) {
        return forges.contains(name);
    }

    /// Whether the key, or an authority with that key, is allowed.
    boolean names(PublicKey key) {
        return keys.stream().anyMatch(allowed -> KeyUtils.compareKeys(allowed, key));
    }

    @Override
    public void close() {
        for (String name : List.of("allowed", "revoked", "")) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException _) {
                // Public keys, in our own folder: they do no harm there.
            }
        }
    }
}
