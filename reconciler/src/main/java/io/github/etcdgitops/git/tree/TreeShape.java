package io.github.etcdgitops.git.tree;

import java.io.IOException;
import java.util.EnumSet;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectChecker;
import org.eclipse.jgit.lib.ObjectChecker.ErrorType;
import org.eclipse.jgit.lib.ObjectReader;

/// Whether a tree is well-formed: in order, no duplicates, not cut off. JGit could check this while
/// fetching, but then treats every fetch of a limited depth as incomplete.
final class TreeShape {
    private static final int LARGEST = 64 << 20;

    /// Names that are dangerous in a work tree. There is no work tree here, and [UnsafeNames] refuses such
    /// files one by one with their location, which is more precise than a damaged repository.
    private static final EnumSet<ErrorType> LEFT_TO_OTHERS = EnumSet.of(
            ErrorType.EMPTY_NAME,
            ErrorType.FULL_PATHNAME,
            ErrorType.HAS_DOT,
            ErrorType.HAS_DOTDOT,
            ErrorType.HAS_DOTGIT,
            ErrorType.GITMODULES_SYMLINK);

    private TreeShape() {}

    static void check(ObjectReader objects, AnyObjectId tree) throws IOException {
        var loader = objects.open(tree, Constants.OBJ_TREE);
        if (loader.getSize() > LARGEST) {
            throw new CorruptObjectException(tree, "a folder with too many files");
        }
        new ObjectChecker()
                .setAllowLeadingZeroFileMode(true)
                .setIgnore(LEFT_TO_OTHERS)
                .checkTree(tree, loader.getCachedBytes(LARGEST));
    }
}
