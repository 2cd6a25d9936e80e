package io.github.etcdgitops.git.tree;

/// Is told of each document as soon as its bytes are there, while the tree is still read. A document that is refused
/// later, because of another one's name, is told too.
@FunctionalInterface
public interface DocumentsAhead {
    DocumentsAhead NOTHING = (_, _) -> {};

    void read(String path, byte[] content);
}
