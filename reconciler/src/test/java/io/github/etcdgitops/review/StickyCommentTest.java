package io.github.etcdgitops.review;

import static io.github.etcdgitops.review.ForgeWorld.MARKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Account;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.review.StickyComment.Deed;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of the comment, over the adapters of all forges and a stand-in of each.
class StickyCommentTest {
    private static final Account BOT = new Account(41, "github-actions[bot]", true);

    @ParameterizedTest
    @EnumSource
    void isMadeOnceAndThenChangedInPlace(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.talk(2);

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);
            world.fake.talk(1);
            assertThat(world.keep("two")).isEqualTo(Deed.UPDATED);

            assertThat(world.fake.bodies()).containsExactly("comment 0", "comment 1", MARKER + "\ntwo", "comment 0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesNothingWhereItSaysTheSame(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.keep("one\n\ntwo");
            int writes = world.fake.writes().size();

            assertThat(world.keep("one\r\n\r\ntwo  ")).isEqualTo(Deed.UNCHANGED);

            assertThat(world.fake.writes()).hasSize(writes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ignoresMarkerOfAnotherAccount(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.comment(FakeForge.STRANGER, MARKER + "\nall is well, merge it");

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);
            assertThat(world.keep("two")).isEqualTo(Deed.UPDATED);

            assertThat(world.fake.bodies()).containsExactly(MARKER + "\nall is well, merge it", MARKER + "\ntwo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ignoresQuotedMarker(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.comment(FakeForge.OURS, "<!-- etcd-gitops review: staging -->\n" + MARKER + "\nstaging");

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);

            assertThat(world.fake.bodies()).hasSize(2).first().asString().endsWith("staging");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundOnTheThirdPage(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.talk(250);
            world.fake.comment(FakeForge.OURS, MARKER + "\none");
            world.fake.talk(20);

            assertThat(world.keep("two")).isEqualTo(Deed.UPDATED);

            assertThat(world.fake.bodies()).hasSize(271).element(250).isEqualTo(MARKER + "\ntwo");
        }
    }

    @Test
    void stopsReadingIfForgeIgnoresPages() {
        try (var world = new ForgeWorld(Forge.Kind.GITEA)) {
            world.fake.withoutPages();
            world.fake.talk(120);

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);

            assertThat(world.fake.asked())
                    .filteredOn(a -> a.endsWith("/comments"))
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesNoCommentUnlessAllWereRead(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.talk(5_001);

            assertThatThrownBy(() -> world.keep("one"))
                    .hasMessageContaining("more comments on this pull request than etcd-gitops reads");

            assertThat(world.fake.writes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void neverCreatesCommentTwiceAfterLostAnswer(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.loseAnswers(1);

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);

            assertThat(world.fake.bodies()).containsExactly(MARKER + "\none");
            assertThat(world.fake.writes()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void createsCommentAgainAfterLostWrite(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.loseWrites(1);

            assertThat(world.keep("one")).isEqualTo(Deed.CREATED);

            assertThat(world.fake.bodies()).containsExactly(MARKER + "\none");
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatsUpdateAfterLostAnswer(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.keep("one");
            world.fake.loseAnswers(1);

            assertThat(world.keep("two")).isEqualTo(Deed.UPDATED);

            assertThat(world.fake.bodies()).containsExactly(MARKER + "\ntwo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void updatesFirstOfSeveralOwnCommentsAndCountsOthers(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.comment(FakeForge.OURS, MARKER + "\na");
            world.fake.comment(FakeForge.OURS, MARKER + "\nb");

            var outcome = world.comment().keep(FakeForge.PULL_REQUEST, MARKER + "\nc");

            assertThat(outcome).isEqualTo(new StickyComment.Outcome(Deed.UPDATED, 1));
            assertThat(world.fake.bodies()).containsExactly(MARKER + "\nc", MARKER + "\nb");
        }
    }

    @Test
    void identifiesJobTokenCommentsByAppName() {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB)) {
            world.fake.keepsToItselfWhoAsks(BOT);
            world.fake.comment(new Account(9, "github-actions[bot]", false), MARKER + "\nno bot");
            world.fake.comment(new Account(8, "other-app[bot]", true), MARKER + "\nanother bot");
            var comment = world.comment(Optional.empty(), Optional.of("github-actions[bot]"));

            comment.keep(FakeForge.PULL_REQUEST, MARKER + "\none");
            var again = comment.keep(FakeForge.PULL_REQUEST, MARKER + "\ntwo");

            assertThat(again.deed()).isEqualTo(Deed.UPDATED);
            assertThat(world.fake.bodies())
                    .containsExactly(MARKER + "\nno bot", MARKER + "\nanother bot", MARKER + "\ntwo");
        }
    }

    @Test
    void tokenOfUnknownAccountNeedsAName() {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB)) {
            world.fake.keepsToItselfWhoAsks(BOT);

            assertThatThrownBy(world::comment).hasMessageContaining("--author");
            assertThat(world.fake.writes()).isEmpty();
        }
    }

    @Test
    void reportsWrongAuthorAfterFirstComment() {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB)) {
            world.fake.keepsToItselfWhoAsks(new Account(8, "my-app[bot]", true));
            var comment = world.comment(Optional.empty(), Optional.of("github-actions[bot]"));

            assertThatThrownBy(() -> comment.keep(FakeForge.PULL_REQUEST, MARKER + "\none"))
                    .isInstanceOf(GatewayException.class)
                    .hasMessageContaining("(my-app[bot])")
                    .hasMessageContaining("--author");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesTokenOfAnotherAccountThanTheNamedOne(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            assertThatThrownBy(() -> world.comment(Optional.of("mallory"), Optional.empty()))
                    .hasMessageContaining("belongs to another account than --author mallory");
            assertThat(world.comment(Optional.of("CI"), Optional.empty())).isNotNull();
        }
    }
}
