package io.github.etcdgitops.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Fate;
import io.github.etcdgitops.gateway.Forge.Wish;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnePullRequestTest {
    private static final String BRANCH = "etcd-gitops/versions-0123456789ab";
    private static final Wish WISH = new Wish(BRANCH, "main", "Raise etcd", "Because.");

    private static OnePullRequest in(ForgeWorld world) {
        return new OnePullRequest(world.forge, world.pauses::add);
    }

    @ParameterizedTest
    @EnumSource
    void opensOneAndFindsItAgain(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            assertThat(in(world).answered(BRANCH, "main")).isEmpty();

            var opened = in(world).open(WISH);
            var again = in(world).open(WISH);

            assertThat(opened.number()).isOne();
            assertThat(opened.page()).contains(URI.create("https://forge.example/1"));
            assertThat(again).isEqualTo(opened);
            assertThat(world.fake.proposed().all()).singleElement().satisfies(pull -> {
                assertThat(pull.branch()).isEqualTo(BRANCH);
                assertThat(pull.base()).isEqualTo("main");
                assertThat(pull.title()).isEqualTo("Raise etcd");
                assertThat(pull.body()).isEqualTo("Because.");
            });
            assertThat(in(world).answered(BRANCH, "main")).contains(opened);
        }
    }

    @ParameterizedTest
    @EnumSource
    void opensNoSecondOneAfterLostAnswer(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.loseAnswers(1);

            assertThat(in(world).open(WISH).number()).isOne();

            assertThat(world.fake.proposed().all()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsClosedFromMerged(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.proposed().add("acme/rings", BRANCH, "main", Fate.MERGED);
            assertThat(in(world).answered(BRANCH, "main")).isEmpty();

            world.fake.proposed().answer(Fate.CLOSED);
            assertThat(in(world).answered(BRANCH, "main").map(Forge.PullRequest::fate))
                    .isEqualTo(Optional.of(Fate.CLOSED));
        }
    }

    /// Gitea lists all of a repository.
    @ParameterizedTest
    @EnumSource
    void findsItsOwnAmongThousands(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            for (int i = 0; i < 3_000; i++) {
                world.fake.proposed().add("acme/rings", "another-" + i, "main", Fate.MERGED);
            }
            var opened = in(world).open(WISH);

            assertThat(in(world).answered(BRANCH, "main")).contains(opened);
        }
    }

    /// Each of these is another wish: that of a fork, of another branch, and into another branch.
    @ParameterizedTest
    @EnumSource
    void countsNoOtherPullRequest(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.proposed().add("mallory/rings", BRANCH, "main", Fate.CLOSED);
            world.fake.proposed().add("acme/rings", BRANCH + "c", "main", Fate.CLOSED);
            world.fake.proposed().add("acme/rings", BRANCH, "next", Fate.CLOSED);

            assertThat(in(world).answered(BRANCH, "main")).isEmpty();
        }
    }
}
