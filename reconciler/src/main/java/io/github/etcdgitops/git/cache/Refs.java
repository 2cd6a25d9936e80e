package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.LocalRepository;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.tree.TreeDigest;
import io.github.etcdgitops.inert.Inert;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.RefSpec;

/// Names of refs: those that a user may mean, and where ours are stored.
public final class Refs {
    /// Where the whole history is stored once a commit was requested by its id.
    static final String ALL = "refs/all/";

    private Refs() {}

    /// A CI job has a clone with only its server's branches, and none of its own.
    private static List<String> kinds(RepositoryAddress address) {
        var published = List.of(Constants.R_HEADS, Constants.R_TAGS);
        return address.isLocal() ? List.of(Constants.R_HEADS, Constants.R_TAGS, Constants.R_REMOTES) : published;
    }

    /// Whether commits of this ref may be read by their id.
    static boolean counts(RepositoryAddress address, String ref) {
        return kinds(address).stream().anyMatch(ref::startsWith);
    }

    static List<RefSpec> all(RepositoryAddress address, boolean hasHead) {
        var specs = kinds(address).stream()
                .map(kind -> new RefSpec("+" + kind + "*:" + ALL + kind.substring(Constants.R_REFS.length()) + "*"));
        // A CI job checks out a commit that may be on no branch.
        var head = hasHead && address.isLocal()
                ? Stream.of(new RefSpec("+HEAD:" + ALL + "HEAD"))
                : Stream.<RefSpec>empty();
        return Stream.concat(specs, head).toList();
    }

    /// Whether it is a valid name of a branch or a tag.
    static boolean mayBeName(String ref) {
        return ref.equals(Constants.HEAD)
                || (!ref.isEmpty()
                        && !ref.startsWith("-")
                        && Repository.isValidRefName(ref.startsWith(Constants.R_REFS) ? ref : Constants.R_HEADS + ref));
    }

    /// The full refs that a short name can mean.
    static List<String> candidates(String ref) {
        if (ref.equals(Constants.HEAD)) {
            return List.of(ref);
        }
        return ref.startsWith(Constants.R_REFS)
                ? List.of(ref)
                : List.of(Constants.R_HEADS + ref, Constants.R_TAGS + ref);
    }

    public static String branch(String name) {
        String full = name.startsWith(Constants.R_HEADS) ? name : Constants.R_HEADS + name;
        if (!Repository.isValidRefName(full)) {
            throw new GitException(Kind.NO_SUCH_REF, "a branch cannot be named " + quoted(name));
        }
        return full;
    }

    /// By a hash: names that cannot exist together, such as `a` and `a/b` after a rename, do not conflict
    /// here.
    public static String tracking(String name) {
        return "refs/tip/" + TreeDigest.of(name).substring(0, 32);
    }

    /// The server of a linked work tree is its repository, which has another HEAD.
    public static Optional<String> inLinkedWorkTree(RepositoryAddress address, String ref) {
        if (!address.isLocal() || !ref.equals(Constants.HEAD)) {
            return Optional.empty();
        }
        LocalRepository found = LocalRepository.find(Path.of(address.path()));
        return found.head().equals(found.gitDir().resolve(Constants.HEAD))
                ? Optional.empty()
                : Optional.of(found.headTarget());
    }

    static String quoted(String ref) {
        return "'" + Inert.line(ref) + "'";
    }
}
