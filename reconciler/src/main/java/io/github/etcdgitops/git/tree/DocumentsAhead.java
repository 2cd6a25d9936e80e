package io.github.etcdgitops.git.tree;

/// Gets each document as soon as its bytes are there, while the rest of the tree is being read. It also gets a document
/// that is refused later because another one has almost the same name.
@FunctionalInterface
public interface DocumentsAhead {
    DocumentsAhead NOTHING = (_, _) -> {};

    void read(String path, byte[] content);
}
