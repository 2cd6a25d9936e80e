package io.github.etcdgitops.git.tree;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;

/// One entry of a folder, from a commit or a work tree. `name` has one character for each byte (ISO
/// 8859-1), because a name need not be text in any encoding.
sealed interface TreeEntry {
    String name();

    record Folder(String name, Inside inside) implements TreeEntry {}

    record File(String name, boolean executable, Content content) implements TreeEntry {}

    record Other(String name, What what) implements TreeEntry {}

    /// Entries that are neither a folder nor a readable file.
    enum What {
        LINK,
        SUBMODULE,
        /// A device, a socket, a named pipe.
        SPECIAL,
        UNREADABLE
    }

    /// A folder that was not opened yet.
    interface Inside {
        /// In Git's order: by bytes, folders as if their names ended with a slash. Empty where it cannot be
        /// read.
        Optional<Iterator<TreeEntry>> entries() throws IOException;
    }

    /// A file that was not opened yet.
    interface Content {
        /// In bytes; more than any limit where it is unknown.
        long size() throws IOException;

        /// At most `most` bytes from its start. Empty where it cannot be read.
        Optional<byte[]> read(int most) throws IOException;
    }
}
