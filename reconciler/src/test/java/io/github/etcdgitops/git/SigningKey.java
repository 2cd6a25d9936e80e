package io.github.etcdgitops.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.function.Consumer;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.GpgConfig;
import org.eclipse.jgit.lib.GpgConfig.GpgFormat;
import org.eclipse.jgit.lib.Signers;

/// Somebody's key, with its private half in a file.
record SigningKey(KeyPair pair, Path file) {
    static SigningKey of(String type, int bits, Path file) throws IOException, GeneralSecurityException {
        var pair = KeyUtils.generateKeyPair(type, bits);
        SshGitServer.writePrivateKey(pair, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return new SigningKey(pair, file);
    }

    static SigningKey of(Path file) throws IOException, GeneralSecurityException {
        return of("ssh-ed25519", 256, file);
    }

    /// `ssh-ed25519 AAAA…`
    String line() {
        return PublicKeyEntry.toString(pair.getPublic());
    }

    String fingerprint() {
        return KeyUtils.getFingerPrint(pair.getPublic());
    }

    Consumer<CommitBuilder> signs() {
        return commit -> {
            try {
                Signers.get(GpgFormat.SSH)
                        .signObject(
                                null,
                                new GpgConfig(new Config()),
                                commit,
                                commit.getCommitter(),
                                file.toString(),
                                null);
            } catch (IOException | org.eclipse.jgit.api.errors.GitAPIException e) {
                throw new JGitInternalException("cannot sign", e);
            }
        };
    }
}
