package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.publish.PushVerdict;
import org.eclipse.jgit.transport.RemoteRefUpdate.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushVerdictTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fetch first",
                "non-fast-forward",
                "failed to update ref",
                "cannot lock ref 'refs/heads/x': reference already exists",
                "cannot lock ref 'refs/heads/x': is at 1 but expected 2",
                "Unable to lock refs/heads/x",
                "failed to lock",
                "incorrect old value provided",
                "unpacker error",
            })
    void triesAgainAfterALostRace(String message) {
        assertThat(PushVerdict.of(Status.REJECTED_OTHER_REASON, message)).isEqualTo(PushVerdict.AGAIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "protected branch hook declined",
                "pre-receive hook declined",
                "hook declined",
                "prohibited by Gerrit: not permitted: update",
                "push declined due to repository rule violations",
                "branch is currently checked out",
                "blocked by our policy",
                "",
                "words of a server that nobody has heard yet",
            })
    void doesNotTryAgainAgainstARule(String message) {
        assertThat(PushVerdict.of(Status.REJECTED_OTHER_REASON, message)).isEqualTo(PushVerdict.PROTECTED);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void takesOnlySuccessForSuccess(Status status) {
        boolean success = status == Status.OK || status == Status.UP_TO_DATE;

        assertThat(PushVerdict.of(status, "") == PushVerdict.DONE).isEqualTo(success);
    }

    @Test
    void triesAgainWhenTheBranchMovedOn() {
        assertThat(PushVerdict.of(Status.REJECTED_NONFASTFORWARD, "")).isEqualTo(PushVerdict.AGAIN);
        assertThat(PushVerdict.of(Status.REJECTED_REMOTE_CHANGED, "")).isEqualTo(PushVerdict.AGAIN);
    }
}
