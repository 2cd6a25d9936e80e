package io.github.etcdgitops.git.tree;

/// What of a tree is read at most: bytes are what memory is made of, and counts bound what they do not.
public record TreeLimits(int files, long fileBytes, long allBytes, int entries, int depth) {
    public static final TreeLimits STANDARD = new TreeLimits(100_000, 256L << 10, 64L << 20, 500_000, 32);
}
