package io.github.etcdgitops.git.publish;

import java.util.List;
import java.util.Locale;
import org.eclipse.jgit.transport.RemoteRefUpdate.Status;

/// The meaning of a server's answer to a push. JGit does not throw on a rejection, so every status is
/// checked.
public enum PushVerdict {
    DONE,
    /// Another writer was faster, or is writing at this moment.
    AGAIN,
    /// A rule refuses it, and will refuse it next time.
    PROTECTED;

    private static final List<String> RULES = List.of(
            "hook declined",
            "declined",
            "protected",
            "prohibited",
            "not permitted",
            "not allowed",
            "denied",
            "checked out",
            "read-only",
            "readonly",
            "violat");

    private static final List<String> RACES = List.of(
            "cannot lock",
            "could not lock",
            "unable to lock",
            "failed to lock",
            "lock fail",
            "failed to update ref",
            "fetch first",
            "fast forward",
            "fast-forward",
            "stale info",
            "already exists",
            "incorrect old value",
            "transaction aborted",
            "missing object",
            "unpack",
            "try again",
            "timeout",
            "timed out");

    public static PushVerdict of(Status status, String message) {
        return switch (status) {
            case OK, UP_TO_DATE -> DONE;
            case REJECTED_NONFASTFORWARD, REJECTED_REMOTE_CHANGED, NOT_ATTEMPTED, AWAITING_REPORT -> AGAIN;
            case REJECTED_OTHER_REASON -> ofMessage(message.toLowerCase(Locale.ROOT));
            case REJECTED_NODELETE, NON_EXISTING -> PROTECTED;
        };
    }

    /// An unknown text of a server is a refusal: repeating at once would not help.
    private static PushVerdict ofMessage(String message) {
        if (RULES.stream().anyMatch(message::contains)) {
            return PROTECTED;
        }
        return RACES.stream().anyMatch(message::contains) ? AGAIN : PROTECTED;
    }
}
