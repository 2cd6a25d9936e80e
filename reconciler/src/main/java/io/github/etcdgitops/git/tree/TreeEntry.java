package io.github.etcdgitops.git.tree;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;

/// One entry of a folder, as a commit or a work tree has it. `name` has one character for each byte (ISO 8859-1), since
/// a name need not be text in any encoding.
sealed interface TreeEntry {
    String name();

    record Folder(String name, Inside inside) implements TreeEntry {}

    record File(String name, boolean executable, Content content) implements TreeEntry {}

    record Other(String name, What what) implements TreeEntry {}

    /// What is neither a folder nor a file that could be read.
    enum What {
        LINK,
        SUBMODULE,
        /// A device, a socket, a named pipe.
        SPECIAL,
        UNREADABLE
    }

    /// A folder that was not opened yet.
    interface Inside {
        /// In Git's order: by bytes, folders as if their names ended with a slash. Empty where it cannot be read.
        Optional<Iterator<TreeEntry>> entries() throws IOException;
    }

    /// A file that was not opened yet.
    interface Content {
        /// In bytes; more than any limit where nobody knows.
        long size() throws IOException;

        /// At most so many bytes from its beginning. Empty where it cannot be read.
        Optional<byte[]> read(int most) throws IOException;
    }
}
