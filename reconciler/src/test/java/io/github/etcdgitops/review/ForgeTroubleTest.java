package io.github.etcdgitops.review;

import static io.github.etcdgitops.gateway.GatewayException.Kind.CONFLICT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.NOT_FOUND;
import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.TIMEOUT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.UNAUTHORIZED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.forge.ForgeSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a forge may answer besides what it was asked for.
class ForgeTroubleTest {
    static Stream<Arguments> refusals() {
        return Stream.of(Forge.Kind.values())
                .flatMap(kind -> Stream.of(
                        Arguments.of(kind, 401, UNAUTHORIZED, "does not accept the token"),
                        Arguments.of(kind, 403, UNAUTHORIZED, "does not let this token"),
                        Arguments.of(kind, 404, NOT_FOUND, "no such repository"),
                        Arguments.of(kind, 409, CONFLICT, "try again"),
                        Arguments.of(kind, 418, REJECTED, "refuses with status 418"),
                        Arguments.of(kind, 422, REJECTED, "invalid"),
                        Arguments.of(kind, 429, UNREACHABLE, "no more requests now"),
                        Arguments.of(kind, 500, UNREACHABLE, "overloaded or failing"),
                        Arguments.of(kind, 503, UNREACHABLE, "overloaded or failing")));
    }

    private static GatewayException trouble(ForgeWorld world) {
        return catchThrowableOfType(GatewayException.class, () -> world.forge.comments(FakeForge.PULL_REQUEST));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void eachRefusalHasItsMeaningAndOurWords(Forge.Kind kind, int status, GatewayException.Kind meaning, String words) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.refuse(status, Map.of(), 3);

            var failure = trouble(world);

            assertThat(failure.kind()).isEqualTo(meaning);
            assertThat(failure)
                    .hasMessageStartingWith(kind.title() + " ")
                    .hasMessageContaining(words)
                    .hasMessageNotContaining("words of the forge")
                    .hasMessageNotContaining(FakeForge.TOKEN);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 429})
    void retriesTemporaryFailures(int status) {
        try (var world = new ForgeWorld(Forge.Kind.GITLAB)) {
            world.fake.refuse(status, Map.of(), 2);

            assertThat(world.forge.comments(FakeForge.PULL_REQUEST)).isEmpty();

            assertThat(world.pauses).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsAsLongAsItIsTold(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.refuse(429, Map.of("Retry-After", "17"), 1);
            world.fake.refuse(429, Map.of("Retry-After", "Wed, 25 Nov 2026 10:00:09 GMT"), 1);

            world.forge.comments(FakeForge.PULL_REQUEST);

            assertThat(world.pauses).isEqualTo(List.of(Duration.ofSeconds(17), Duration.ofSeconds(9)));
        }
    }

    /// A limit is no lack of rights: the job may be tried again.
    @Test
    void waitsForGitHubRateLimitOf403() {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB)) {
            String in30 = "" + ForgeWorld.NOW.plusSeconds(30).getEpochSecond();
            world.fake.refuse(403, Map.of("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in30), 1);

            assertThat(world.forge.self()).contains(FakeForge.OURS);

            assertThat(world.pauses).containsExactly(Duration.ofSeconds(30));
        }
    }

    @Test
    void doesNotWaitForAnHour() {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB)) {
            world.fake.refuse(429, Map.of("Retry-After", "3600"), 1);

            assertThat(trouble(world)).hasMessageContaining("try again in 3600 seconds");

            assertThat(world.pauses).isEmpty();
            assertThat(world.fake.asked()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsPostAgainAfterRateLimit(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            var comment = world.comment();
            world.forge.comments(FakeForge.PULL_REQUEST);
            world.fake.refuse(429, Map.of("Retry-After", "1"), 1);

            var made = world.forge.create(FakeForge.PULL_REQUEST, "one");

            assertThat(made.author().id()).isEqualTo(FakeForge.OURS.id());
            assertThat(comment).isNotNull();
            assertThat(world.fake.bodies()).containsExactly("one");
        }
    }

    @ParameterizedTest
    @EnumSource
    void neverRepeatsPostThatMayHaveHappened(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind)) {
            world.fake.refuse(502, Map.of(), 1);

            assertThatThrownBy(() -> world.forge.create(FakeForge.PULL_REQUEST, "one"))
                    .isInstanceOfSatisfying(
                            GatewayException.class,
                            e -> assertThat(e.mayHaveHappened()).isTrue());

            assertThat(world.fake.writes()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void silenceEnds(Forge.Kind kind) {
        try (var world = new ForgeWorld(kind, Duration.ofMillis(200))) {
            world.fake.hang(3);

            assertThat(trouble(world).kind()).isEqualTo(TIMEOUT);
        }
    }

    @Test
    void reportsPortThatRefusesConnections() {
        var world = new ForgeWorld(Forge.Kind.GITHUB);
        world.fake.close();
        try (world) {
            assertThat(trouble(world)).hasMessageContaining("accepts no connections");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void neverFollowsRedirectWithToken(int status) {
        try (var world = new ForgeWorld(Forge.Kind.GITHUB);
                var elsewhere = new FakeForge(Forge.Kind.GITHUB)) {
            String there = elsewhere.api() + "/repos/acme/rings/issues/12/comments";
            world.fake.refuse(status, Map.of("Location", there), 1);

            assertThat(trouble(world)).hasMessageContaining("is not followed").hasMessageNotContaining(there);

            assertThat(elsewhere.asked()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://git.example/api/v1",
                "http://127.0.0.1.example/api/v1",
                "ftp://git.example/",
                "https:///api",
                "https://somebody:hunter2@git.example/api/v1",
                "https://git.example/api?x=1"
            })
    void refusesAddressThatWouldExposeToken(String address) {
        assertThatThrownBy(() -> settings(Forge.Kind.GITEA, address, "acme/rings", "t"))
                .hasMessageContaining("https://HOST")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme", "acme/..", "acme/rings/x", "acme/ri ngs", "acme/rings?x", "/rings", "a/%2e%2e", ""})
    void refusesRepositoryThatIsNotOwnerAndName(String repository) {
        assertThatThrownBy(() -> settings(Forge.Kind.GITHUB, "https://git.example", repository, "t"))
                .hasMessageContaining("OWNER/NAME");
    }

    @Test
    void gitlabHasGroupsInGroupsAndNumbers() {
        assertThat(settings(Forge.Kind.GITLAB, "http://localhost:1/api/v4", "a/b/c", "t"))
                .isNotNull();
        assertThat(settings(Forge.Kind.GITLAB, "http://[::1]/api/v4", "4711", "t"))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "line\nbreak", "ümlaut"})
    void refusesTokenInvalidInHeaderWithoutRepeatingIt(String token) {
        var failure = catchThrowableOfType(
                GatewayException.class, () -> settings(Forge.Kind.GITHUB, "https://git.example", "a/b", token));

        assertThat(failure.kind()).isEqualTo(UNAUTHORIZED);
        assertThat(failure.getMessage()).doesNotContain("words", "break", "umlaut");
    }

    @Test
    void settingsDoNotShowTheToken() {
        assertThat(settings(Forge.Kind.GITHUB, "https://git.example", "a/b", "secret-token"))
                .hasToString("ForgeSettings[GITHUB, https://git.example, a/b]");
    }

    private static ForgeSettings settings(Forge.Kind kind, String api, String repository, String token) {
        return new ForgeSettings(kind, URI.create(api), repository, token, Optional.empty(), ForgeSettings.PATIENCE);
    }
}
