package io.github.etcdgitops.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Comment;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The single comment of a context in a pull request, created once and then changed in place: a comment for
/// each push would bury the discussion.
public final class StickyComment {
    private static final int TRIES = 3;

    /// A forge may show a comment only some moments after accepting it.
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Forge forge;
    private final Writer writer;
    private final String marker;
    private final Consumer<Duration> pause;

    /// What was done, and how many more of our comments have the marker.
    public record Outcome(Deed deed, int others) {}

    public enum Deed {
        CREATED,
        UPDATED,
        /// It already had the same text.
        UNCHANGED
    }

    /// `marker` is the first line of the body. `given`, `usual`: see [Writer].
    public StickyComment(
            Forge forge, String marker, Optional<String> given, Optional<String> usual, Consumer<Duration> pause) {
        this.forge = forge;
        this.marker = marker;
        this.pause = pause;
        this.writer = Writer.of(forge, given, usual);
    }

    public Outcome keep(long pullRequest, String body) {
        for (int tries = 1; true; tries++) {
            var ours = ours(pullRequest);
            if (!ours.isEmpty()) {
                return change(pullRequest, ours, body, tries > 1);
            }
            try {
                var made = forge.create(pullRequest, body);
                requireOurs(made);
                return new Outcome(Deed.CREATED, 0);
            } catch (GatewayException e) {
                if (tries == TRIES || !e.mayHaveHappened()) {
                    throw e;
                }
                // It may exist although there was no answer: the next round checks first.
                pause.accept(PAUSE.multipliedBy(tries));
            }
        }
    }

    private Outcome change(long pullRequest, List<Comment> ours, String body, boolean lookedAgain) {
        var first = ours.getFirst();
        int others = ours.size() - 1;
        if (normal(first.body()).equals(normal(body))) {
            return new Outcome(lookedAgain ? Deed.CREATED : Deed.UNCHANGED, others);
        }
        forge.update(pullRequest, first, body);
        return new Outcome(Deed.UPDATED, others);
    }

    private List<Comment> ours(long pullRequest) {
        return forge.comments(pullRequest).stream()
                .filter(comment -> writer.wrote(comment.author()))
                .filter(comment -> normal(comment.body()).lines().findFirst().equals(Optional.of(marker)))
                .toList();
    }

    /// Forges change line ends and trailing blanks.
    private static String normal(String body) {
        return body.replace("\r\n", "\n").strip();
    }

    private void requireOurs(Comment made) {
        if (!writer.wrote(made.author())) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "the comment was created, but by another account than expected"
                            + shown(made.author().name())
                            + ": name that account with --author, otherwise the next run creates another comment");
        }
    }

    /// A name is shown only where it looks like one: it comes from outside.
    private static String shown(String name) {
        return name.matches("[A-Za-z0-9._-]{1,60}(\\[bot])?") ? " (" + name + ")" : "";
    }
}
