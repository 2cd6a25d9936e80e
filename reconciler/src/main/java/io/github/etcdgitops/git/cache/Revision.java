package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.LocalRepository;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.jgit.errors.AmbiguousObjectException;
import org.eclipse.jgit.errors.RevisionSyntaxException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/// Other expressions for a commit than its name and its whole id: `HEAD~1`, `main^`, a short id. Only for a
/// repository on this machine; servers do not know them.
final class Revision {
    private static final String FOR_SERVERS = ": a server is asked for a branch, a tag, a full ref (refs/…) or a whole"
            + " commit id; HEAD~1 and short ids work only in a local repository";

    private Revision() {}

    static ObjectId commit(RepositoryAddress address, String text) {
        String unknown = address + " has no branch and no tag " + Refs.quoted(text);
        if (!address.isLocal()) {
            throw new GitException(Kind.NO_SUCH_REF, unknown + FOR_SERVERS);
        }
        try (Repository repository = open(LocalRepository.find(Path.of(address.path())))) {
            return Optional.ofNullable(text.startsWith("-") ? null : repository.resolve(text + "^{commit}"))
                    .orElseThrow(() -> new GitException(Kind.NO_SUCH_REF, unknown + ", and no such commit"));
        } catch (AmbiguousObjectException e) {
            throw new GitException(
                    Kind.NO_SUCH_REF, address + " has several objects whose id begins with this: give more digits", e);
        } catch (RevisionSyntaxException | IOException e) {
            throw new GitException(Kind.NO_SUCH_REF, unknown + ", and it is not a commit", e);
        }
    }

    /// A linked work tree has its own HEAD.
    private static Repository open(LocalRepository found) throws IOException {
        Path own = found.head().toAbsolutePath().getParent();
        return new FileRepositoryBuilder()
                .setGitDir(own == null ? found.gitDir().toFile() : own.toFile())
                .setMustExist(true)
                .build();
    }
}
