package io.github.etcdgitops.doctor;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.exam.MemberExam;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.state.value.Observed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What is seen of members, and what is made of it.
class MemberExamTest {
    private static final GitFacts NO_DOCUMENTS = new GitFacts(
            new Fact.Unasked<>(),
            new Fact.Unasked<>(),
            new Fact.Unasked<>(),
            new Fact.Unasked<>(),
            new Fact.Unasked<>(),
            new Fact.Unasked<>(),
            new Fact.Unasked<>());

    private static List<Check> checks(FakeWorld world) {
        return checks(world, 0);
    }

    /// The first `silences` probes of any member get no answer in time.
    private static List<Check> checks(FakeWorld world, int silences) {
        var left = new AtomicInteger(silences);
        var exam = new MemberExam(
                world.kubernetes(),
                inTurn(EtcdGateway.class, world.etcd(), world, method -> {
                    if (method.equals("probe") && left.getAndDecrement() > 0) {
                        throw new GatewayException(GatewayException.Kind.TIMEOUT, false, "no answer in time");
                    }
                }),
                inTurn(MemberAccess.class, world.access(), world, _ -> {}));
        return MemberChecks.of(exam.look(NO_DOCUMENTS), "");
    }

    /// The world is for one thread at a time, and members are asked all at once.
    private static <T> T inTurn(Class<T> port, T target, FakeWorld world, Consumer<String> before) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (_, method, arguments) -> {
                    synchronized (world) {
                        before.accept(method.getName());
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                }));
    }

    private static Given ring() {
        return Given.ring("demo", "orders");
    }

    @Test
    void sumsUpAnsweringMembersInOneLine() {
        assertThat(checks(ring().build()))
                .singleElement()
                .isInstanceOfSatisfying(
                        Check.Ok.class,
                        ok -> assertThat(ok.seen())
                                .isEqualTo("3 of 3 members of 1 ring of whatever environment answer: by pod IP; etcd"
                                        + " 3.5.16"));
    }

    @Test
    void asksOnceMoreBeforeItCallsAMemberSilent() {
        assertThat(checks(ring().members(1).build(), 1)).singleElement().isInstanceOf(Check.Ok.class);
        assertThat(checks(ring().members(1).build(), 2)).anyMatch(c -> c instanceof Check.Failed);
    }

    @Test
    void namesAMemberThatDoesNotAnswerAndGoesOn() {
        var checks = checks(ring().hidden(1).build());

        assertThat(checks).hasSize(2).allMatch(c -> c instanceof Check.Warning);
        assertThat(Named.check("ring " + ORDERS, checks).toString())
                .contains("orders-1: ")
                .doesNotContain("orders-0", "orders-2");
    }

    @Test
    void unreachableRingFailsAsInARun() {
        var checks = checks(ring().hidden(0).hidden(1).hidden(2).build());

        assertThat(Named.check("ring " + ORDERS, checks))
                .isInstanceOfSatisfying(
                        Check.Failed.class, f -> assertThat(f.trouble()).isEqualTo(Trouble.TEMPORARY));
    }

    @Test
    void podsThatCannotBeListedAreNotAbsent() {
        var ring = new MemberFacts.Ring(ORDERS, Observed.unknown("no answer in time"));

        var checks = MemberChecks.of(Fact.seen(new MemberFacts(List.of(ring), false)), "");

        assertThat(Named.check("ring " + ORDERS, checks))
                .isInstanceOfSatisfying(
                        Check.Failed.class, f -> assertThat(f.seen()).contains("no answer in time"));
    }

    @Test
    void noRingIsNoTrouble() {
        assertThat(MemberChecks.of(Fact.seen(new MemberFacts(List.of(), false)), ""))
                .singleElement()
                .isInstanceOf(Check.Ok.class);
    }
}
