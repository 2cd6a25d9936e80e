package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.document.yaml.YamlDocuments.YamlFile;
import io.github.etcdgitops.git.tree.Scope;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What one file says, whatever the others say.
sealed interface ReadFile {
    Pattern RESTORE = Pattern.compile("kind\\W{1,8}\\w*restor", Pattern.CASE_INSENSITIVE);

    static ReadFile of(String file, byte[] bytes, boolean inFolders) {
        if (!inFolders) {
            return Documents.of(file, bytes, Optional.empty());
        }
        var folder = Folder.of(file);
        if (Scope.STANDARD.resembles(file)) {
            return new Misnamed(file);
        }
        return folder.isEmpty() ? new Elsewhere(file) : Documents.of(file, bytes, folder);
    }

    record Misnamed(String file) implements ReadFile {}

    record Elsewhere(String file) implements ReadFile {}

    /// `restores` is how many documents say that they are an EtcdRestore, if the file is partly unreadable.
    /// `unread` are the violations of the file as a whole. The trees of its documents are not kept.
    record Documents(
            String file,
            Optional<Folder> folder,
            List<Violation> unread,
            boolean empty,
            boolean brokenOff,
            List<Assessed> documents,
            long restores)
            implements ReadFile {
        static Documents of(String file, byte[] bytes, Optional<Folder> folder) {
            var yaml = YamlDocuments.read(file, bytes);
            var documents = yaml.documents().stream()
                    .map(document -> Assessed.of(document, folder))
                    .toList();
            boolean brokenOff = brokenOff(yaml);
            return new Documents(
                    file,
                    folder,
                    yaml.violations(),
                    yaml.empty(),
                    brokenOff,
                    documents,
                    brokenOff ? mentionsOfRestores(bytes) : 0);
        }

        boolean in(Folder wanted) {
            return folder.filter(f -> f == wanted).isPresent();
        }

        private static boolean brokenOff(YamlFile yaml) {
            return !yaml.violations().isEmpty() || yaml.documents().stream().anyMatch(document -> !document.whole());
        }
    }

    /// How many documents of a partly unreadable file say that they are an EtcdRestore, in any encoding.
    static long mentionsOfRestores(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "");
        return RESTORE.matcher(text).results().count();
    }
}
