package io.github.etcdgitops.git.publish;

import io.github.etcdgitops.inert.Inert;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/// The message, author and time of a commit. All of it comes from the caller, so that the same run makes
/// the same commit.
public record CommitMessage(
        String subject, String body, SequencedMap<String, String> trailers, Author author, Instant at) {
    private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

    /// A fixed identity, never that of the person or machine that runs this program.
    public record Author(String name, String email) {
        public Author {
            requireLine("the author's name", name);
            requireLine("the author's address", email);
            if ((name + email).matches(".*[<>].*")) {
                throw new IllegalArgumentException("an author has no '<' and no '>'");
            }
        }
    }

    public CommitMessage {
        subject = Inert.line(subject);
        requireLine("the subject", subject);
        trailers.forEach((key, value) -> {
            requireLine(key, value);
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException("a trailer cannot be called " + key);
            }
        });
        trailers = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(trailers));
    }

    /// A value with a line break could forge another trailer.
    private static void requireLine(String what, String value) {
        if (value.isBlank() || value.codePoints().anyMatch(Inert::acts)) {
            throw new IllegalArgumentException(what + " of a commit is one line of text");
        }
    }

    String render() {
        var text = new StringBuilder(subject).append('\n');
        if (!body.isBlank()) {
            text.append('\n').append(body.strip()).append('\n');
        }
        if (!trailers.isEmpty()) {
            text.append('\n');
            trailers.forEach(
                    (key, value) -> text.append(key).append(": ").append(value).append('\n'));
        }
        return text.toString();
    }
}
