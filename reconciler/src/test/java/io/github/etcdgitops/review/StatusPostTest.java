package io.github.etcdgitops.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.CommitStatus;
import io.github.etcdgitops.gateway.Forge.State;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusPostTest {
    private static CommitStatus status(State state, String line) {
        return new CommitStatus(
                "etcd-gitops/production", state, line, Optional.of(URI.create("https://ci.example/runs/1")));
    }

    private static boolean set(ForgeWorld world, State state, String line) {
        return world.status().set(FakeForge.COMMIT, status(state, line));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotPostSameStatusAgain(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            for (State state : State.values()) {
                assertThat(set(world, state, "line")).as("%s", state).isEqualTo(!sameAsBefore(kind, state));
                assertThat(set(world, state, "line")).as("%s again", state).isFalse();
            }

            assertThat(world.fake.writes()).hasSize(kind == Forge.Kind.GITLAB ? 3 : 4);
        }
    }

    /// GitLab has one word for failure and error.
    private static boolean sameAsBefore(Forge.Kind kind, State state) {
        return kind == Forge.Kind.GITLAB && state == State.ERROR;
    }

    @ParameterizedTest
    @EnumSource
    void anotherLineOrAddressIsPosted(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            set(world, State.SUCCESS, "nothing changes");

            assertThat(set(world, State.SUCCESS, "1 ring changes")).isTrue();
            assertThat(world.status()
                            .set(
                                    FakeForge.COMMIT,
                                    new CommitStatus(
                                            "etcd-gitops/production",
                                            State.SUCCESS,
                                            "1 ring changes",
                                            Optional.empty())))
                    .isTrue();

            assertThat(world.fake.statuses()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ignoresStatusesOfOtherContexts(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            for (int i = 0; i < 130; i++) {
                world.fake.status("job " + i, "success");
            }
            set(world, State.SUCCESS, "line");

            assertThat(set(world, State.SUCCESS, "line")).isFalse();

            assertThat(world.fake.writes()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void postsNoStatusTwiceAfterLostAnswer(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.loseAnswers(1);

            assertThat(set(world, State.FAILURE, "line")).isTrue();

            assertThat(world.fake.statuses()).hasSize(1);
            assertThat(world.fake.writes()).hasSize(1);
        }
    }

    /// GitLab answers the second one with an error.
    @Test
    void gitlabIsNotAskedToMakePendingWhatIsPending() {
        try (var world = new ForgeWorld(Forge.Kind.GITLAB)) {
            set(world, State.PENDING, "planning");

            assertThat(set(world, State.PENDING, "still planning")).isFalse();
        }
    }
}
