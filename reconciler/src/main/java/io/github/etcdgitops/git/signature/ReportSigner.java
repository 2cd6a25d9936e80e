package io.github.etcdgitops.git.signature;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Set;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.GpgConfig;
import org.eclipse.jgit.lib.GpgConfig.GpgFormat;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.Signer;
import org.eclipse.jgit.lib.Signers;

/// The key that signs commits on the report branch.
public final class ReportSigner {
    /// Its own group may read it: Kubernetes gives a Secret to a non-root process that way.
    private static final Set<PosixFilePermission> TOO_OPEN =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private final Path file;
    private final PublicKey key;

    private ReportSigner(Path file, PublicKey key) {
        this.file = file;
        this.key = key;
    }

    /// Throws [GitException] SIGNERS for a file that is not a private key, is encrypted, or is readable by
    /// others.
    public static ReportSigner read(Path file) {
        var pairs = new ArrayList<KeyPair>();
        if (file.toAbsolutePath().toString().contains(" ")) {
            // JGit takes such a path for the text of a public key.
            throw unusable(file, "has a space in its path, which is not supported");
        }
        try {
            Path real = file.toRealPath();
            if (Files.getPosixFilePermissions(real).stream().anyMatch(TOO_OPEN::contains)) {
                throw unusable(file, "can be read or written by others: chmod 600 it");
            }
            pairs.addAll(SecurityUtils.getKeyPairResourceParser().loadKeyPairs(null, real, null));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (e instanceof GitException ours) {
                throw ours;
            }
            // Without the cause: a parser quotes what it could not read.
            throw unusable(file, "cannot be read, is not an SSH private key, or is encrypted, which is not supported");
        }
        if (pairs.size() != 1) {
            throw unusable(file, "is not an SSH private key, or has several");
        }
        return new ReportSigner(file.toAbsolutePath(), pairs.getFirst().getPublic());
    }

    private static GitException unusable(Path file, String why) {
        return new GitException(Kind.SIGNERS, "the key to sign reports with, " + file + ", " + why);
    }

    /// The signer of reports must not be an allowed signer of desired state: every run has that key, so any
    /// bug of a run could become the next run's desired state.
    public void requireNotAmong(AllowedSigners signers) {
        if (signers.names(key)) {
            throw unusable(
                    file,
                    "is among the allowed signers (" + KeyUtils.getFingerPrint(key)
                            + "): a key that signs reports must not be able to sign the desired state; create a"
                            + " separate key for one of the two");
        }
    }

    public void sign(Repository store, CommitBuilder commit) {
        Signer signer = Signers.get(GpgFormat.SSH);
        try {
            signer.signObject(store, new GpgConfig(new Config()), commit, commit.getCommitter(), file.toString(), null);
        } catch (GitAPIException | IOException | RuntimeException _) {
            throw unusable(file, "could not be used: is it still there?");
        }
    }
}
