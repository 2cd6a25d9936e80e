package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Marks;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.FleetPage;
import io.github.etcdgitops.report.table.StatusTable;
import io.github.etcdgitops.ring.auth.AuthStanding;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What readers see of users and roles, of a ring that got them.
class AuthStandingPlaysTest {
    private static final Auth TWO = with(Users.PASSWORD, "reader");

    private static Auth with(User.SignIn signIn, String... roles) {
        return Users.auth(
                false,
                List.of(Users.user("app", signIn, roles), Users.user("probe", Users.CERTIFICATE)),
                Map.of("reader", List.of(Users.READ_APP), "writer", List.of(Users.ALL_APP)));
    }

    private static EtcdClusterSpec spec(Auth auth) {
        return Given.spec(Play.REF, 3, "3.5.30").with(Optional.of(auth));
    }

    private static FakeWorld ring(Auth auth) {
        var world = AuthPlaysTest.ring("3.5.30", 3);
        done(new Play(world, spec(auth)));
        return world;
    }

    private static ClusterState state(FakeWorld world, Auth auth) {
        return Reading.fresh(world, spec(auth));
    }

    private static AuthStanding standing(FakeWorld world, Auth auth) {
        return AuthStanding.of(state(world, auth)).orElseThrow();
    }

    @Test
    void ringWithoutUsersHasNone() {
        var world = AuthPlaysTest.ring("3.5.30", 3);
        var state = Reading.fresh(world, Given.spec(Play.REF, 3, "3.5.30"));

        assertThat(AuthStanding.of(state)).isEmpty();
    }

    @Test
    void countsUsersAndRolesWithoutRoot() {
        var world = AuthPlaysTest.ring("3.5.30", 3);
        var before = world.instant();
        done(new Play(world, spec(TWO)));

        assertThat(standing(world, TWO)).satisfies(seen -> {
            assertThat(seen.enabled()).isTrue();
            assertThat(seen.users()).isEqualTo(2);
            assertThat(seen.roles()).isEqualTo(2);
            assertThat(seen.withoutRole()).containsExactly("probe");
            assertThat(seen.passwordsAt())
                    .hasValueSatisfying(at -> assertThat(at).isBetween(before.minusSeconds(1), world.instant()));
            assertThat(seen.read()).isTrue();
        });
    }

    /// Users of certificates alone have no password.
    @Test
    void onlyPasswordSetsItsTime() {
        var world = ring(with(Users.CERTIFICATE, "reader"));
        assertThat(standing(world, with(Users.CERTIFICATE, "reader")).passwordsAt())
                .isEmpty();

        world.tick(200);
        done(new Play(world, spec(TWO)));
        var first = standing(world, TWO).passwordsAt().orElseThrow();

        world.tick(200);
        done(new Play(world, spec(with(Users.PASSWORD, "writer"))));
        assertThat(standing(world, TWO).passwordsAt()).contains(first);

        world.tick(200);
        done(new Play(world, spec(with(Users.password(2), "reader"))));
        assertThat(standing(world, TWO).passwordsAt())
                .hasValueSatisfying(at -> assertThat(at).isAfter(first));
    }

    /// Somebody without the right to read users is told what was made last.
    @Test
    void journalTellsWhereRingDoesNot() {
        var world = ring(TWO);
        var state = state(world, TWO);
        var ring = state.ring().optional().orElseThrow();
        var unseen = new ClusterState(
                state.ref(),
                state.kube(),
                Observed.known(ring.withAuth(Observed.unknown("no right"))),
                state.drift(),
                state.templateWanted(),
                state.supply(),
                state.foreign());

        assertThat(AuthStanding.of(unseen).orElseThrow()).satisfies(seen -> {
            assertThat(seen.read()).isFalse();
            assertThat(seen.users()).isEqualTo(2);
        });
    }

    /// With every generated password looked for in all that is printed.
    @Test
    void nothingPrintedHasPassword() {
        var world = ring(TWO);
        var state = state(world, TWO);
        var marks = new Marks();
        for (String secret : List.of(RingPasswords.rootSecret(Play.REF), RingPasswords.userSecret(Play.REF, "app"))) {
            var password = world.passwords().entries(Play.REF, secret).get(RingPasswords.KEY);
            marks.known(secret, Optional.ofNullable(password).orElseThrow());
        }
        var ring = new Play(world, spec(with(Users.password(2), "writer"))).plan();
        var facts = RingFacts.NONE.read(spec(TWO), state, BackupNeeds.NONE);
        var plan = new FleetPlan(
                "test",
                "sha256:0123456789abcdef",
                "test",
                List.of(ring),
                List.of(),
                new FleetPlan.Beside(new TreeMap<>(Map.of(Play.REF, facts)), List.of()));
        var table = StatusTable.of(List.of(StatusTable.row(state)), plan);
        String status = table.human(Style.PLAIN).toString();
        String page = FleetPage.of(plan, world.instant()).html();

        assertThat(marks.size()).isEqualTo(2);
        assertThat(status).containsPattern("(?m)^demo/orders +enabled +2 +2 +probe +\\d{4}-.* UTC +ring$");
        assertThat(table.json()).contains("\"usersWithoutRole\"", "\"lastPassword\"", "\"probe\"");
        assertThat(page)
                .contains("Authentication: enabled · 2 users, 2 roles · without a role: probe · last password ");
        for (String text : List.of(
                status,
                table.json(),
                page,
                PlanJson.render(plan),
                Markdown.table(plan),
                new Human(Style.PLAIN).plan(plan).toString())) {
            assertThat(marks.in(text.getBytes(UTF_8))).isEmpty();
        }
    }

    /// The table has no line about users where no ring has any.
    @Test
    void statusOfRingsWithoutUsersHasOneTable() {
        var state = Reading.fresh(AuthPlaysTest.ring("3.5.30", 3), Given.spec(Play.REF, 3, "3.5.30"));
        var plan = new FleetPlan("test", "sha256:0123456789abcdef", "test", List.of(), List.of());

        var table = StatusTable.of(List.of(StatusTable.row(state)), plan);

        assertThat(table.human(Style.PLAIN).toString())
                .doesNotContain("AUTHENTICATION")
                .hasLineCount(2);
        assertThat(table.json()).doesNotContain("\"auth\"");
    }
}
