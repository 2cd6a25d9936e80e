package io.github.etcdgitops.git.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;

/// A folder of a work tree, as Git would commit it.
record DiskFolder(Path folder, String above, WorkTreeIndex index) implements TreeEntry.Inside {
    private static final Comparator<TreeEntry> AS_GIT_DOES = Comparator.comparing(
            entry -> entry instanceof TreeEntry.Folder(String name, var _) ? name + "/" : entry.name());

    @Override
    public Optional<Iterator<TreeEntry>> entries() {
        var entries = new ArrayList<TreeEntry>();
        try (var paths = Files.newDirectoryStream(folder)) {
            for (Path path : paths) {
                String name = bytes(path.getFileName());
                entries.add(entry(path, name, above + UnsafeNames.shown(name), index));
            }
        } catch (IOException | DirectoryIteratorException _) {
            return Optional.empty();
        }
        entries.sort(AS_GIT_DOES);
        return Optional.of(entries.iterator());
    }

    static TreeEntry entry(Path path, String name, String shown, WorkTreeIndex index) {
        var instead = index.instead(shown);
        if (instead.isPresent()) {
            return new TreeEntry.Other(name, instead.get());
        }
        BasicFileAttributes attributes;
        try {
            attributes = attributes(path);
        } catch (IOException _) {
            return new TreeEntry.Other(name, TreeEntry.What.UNREADABLE);
        }
        if (attributes.isSymbolicLink()) {
            return new TreeEntry.Other(name, TreeEntry.What.LINK);
        }
        if (attributes.isDirectory()) {
            return Files.exists(path.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
                    ? new TreeEntry.Other(name, TreeEntry.What.SUBMODULE)
                    : new TreeEntry.Folder(name, new DiskFolder(path, shown + "/", index));
        }
        boolean executable = attributes instanceof PosixFileAttributes posix
                && posix.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
        return attributes.isRegularFile()
                ? new TreeEntry.File(name, index.executable(shown, executable), new OnDisk(path, attributes.size()))
                : new TreeEntry.Other(name, TreeEntry.What.SPECIAL);
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException _) {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// The bytes of a name, each as one character. Java decodes names by the locale; what it cannot decode
    /// is lost in the text of a path, but not in its URI.
    static String bytes(Path name) {
        String text = name.toString();
        if (text.chars().allMatch(c -> c > 0x1f && c < 0x7f)) {
            return text;
        }
        String address = name.toAbsolutePath().toUri().getRawPath();
        String last = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        return URLDecoder.decode(last.substring(last.lastIndexOf('/') + 1).replace("+", "%2B"), ISO_8859_1);
    }

    private record OnDisk(Path path, long size) implements TreeEntry.Content {
        @Override
        public Optional<byte[]> read(int most) {
            try (var stream = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(stream.readNBytes(most));
            } catch (IOException _) {
                return Optional.empty();
            }
        }
    }
}
