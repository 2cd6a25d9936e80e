package io.github.etcdgitops.git.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Locale.ROOT;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.internal.transport.sshd.SshdText;
import org.eclipse.jgit.lib.GpgConfig.GpgFormat;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SignatureVerifier.SignatureVerification;
import org.eclipse.jgit.lib.SignatureVerifier.TrustLevel;
import org.eclipse.jgit.lib.SignatureVerifiers;
import org.eclipse.jgit.revwalk.RevCommit;

/// The signer of a commit. JGit verifies SSH signatures. If one does not count, the message is in our own
/// words, because parts of JGit's come from the creator of the signature.
public final class CommitSignature {
    private static final String SSH = "-----BEGIN SSH SIGNATURE-----";
    private static final String PGP = "-----BEGIN PGP";

    private CommitSignature() {}

    /// Throws [GitException] UNVERIFIED unless the commit has a good signature of an allowed signer.
    public static void require(Repository local, RevCommit commit, AllowedSigners signers, RepositoryAddress address) {
        String what = "commit " + commit.name() + " of " + address;
        byte[] signature = commit.getRawGpgSignature();
        if (signature == null) {
            throw refused(what + " is not signed, and only commits that an allowed signer has signed are read");
        }
        String armour = new String(signature, US_ASCII).strip();
        if (armour.startsWith(PGP)) {
            throw refused(what + " has an OpenPGP signature, and only SSH signatures are verified: sign with an SSH"
                    + " key (git config gpg.format ssh) that the allowed signers have");
        }
        if (!armour.startsWith(SSH)) {
            throw refused(what + " has a signature of a kind that is not verified: sign with an SSH key"
                    + " (git config gpg.format ssh)");
        }
        judge(what, commit, verified(local, commit, signers, what));
    }

    /// The name of the signer in the list of allowed signers; empty without a good signature, or with that
    /// of a forge. Where a pattern covers many, it is the key itself.
    public static Optional<String> signer(Repository local, RevCommit commit, AllowedSigners signers) {
        byte[] signature = commit.getRawGpgSignature();
        if (signature == null || !new String(signature, US_ASCII).strip().startsWith(SSH)) {
            return Optional.empty();
        }
        try {
            var verification = verified(local, commit, signers, "a commit");
            boolean good = verification.verified() && verification.trustLevel() == TrustLevel.FULL;
            return Optional.ofNullable(verification.keyUser())
                    .filter(name -> good && !signers.isForge(name))
                    .map(name -> name.matches(".*[*?].*") ? verification.keyFingerprint() : name.toLowerCase(ROOT));
        } catch (GitException _) {
            // Commits that a signed merge brought in need no signature.
            return Optional.empty();
        }
    }

    private static SignatureVerification verified(
            Repository local, RevCommit commit, AllowedSigners signers, String what) {
        SignatureVerification verification;
        try {
            verification = SignatureVerifiers.verify(local, signers.rules(), commit);
        } catch (IOException | RuntimeException e) {
            throw new GitException(Kind.UNVERIFIED, "the signature of " + what + " cannot be understood", e);
        }
        if (verification == null || SignatureVerifiers.get(GpgFormat.SSH) == null) {
            throw refused("the signature of " + what + " cannot be verified here");
        }
        return verification;
    }

    private static void judge(String what, RevCommit commit, SignatureVerification verification) {
        if (verification.verified() && verification.trustLevel() == TrustLevel.FULL) {
            return;
        }
        String key = verification.keyFingerprint() == null ? "an unknown key" : verification.keyFingerprint();
        if (verification.expired()) {
            throw refused(what + " is signed with " + key + ", which is not an allowed signer at the time of the"
                    + " commit (" + commit.getCommitterIdent().getWhenAsInstant() + ")");
        }
        if (SshdText.get().signKeyRevoked.equals(verification.message())) {
            throw refused(what + " is signed with " + key + ", a key that is revoked");
        }
        if (verification.trustLevel() == TrustLevel.UNKNOWN) {
            throw refused(what + " is signed with " + key + ", which is not a key of the allowed signers");
        }
        if (verification.message() == null) {
            throw refused("the signature of " + what + " by " + key + " does not match the contents of the commit");
        }
        throw refused("the signature of " + what + " by " + key + " is not valid: made for something other than"
                + " Git, by a certificate that is not accepted, or malformed");
    }

    private static GitException refused(String why) {
        return new GitException(Kind.UNVERIFIED, why);
    }
}
