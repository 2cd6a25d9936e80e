package io.github.etcdgitops.git.tree;

/// The limits for reading a tree: bytes limit the memory, and counts limit the rest. A hundred thousand rings and their
/// rules fit.
public record TreeLimits(int files, long fileBytes, long allBytes, int entries, int depth) {
    public static final TreeLimits STANDARD = new TreeLimits(110_000, 256L << 10, 64L << 20, 500_000, 32);
}
