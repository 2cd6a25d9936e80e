package io.github.etcdgitops.cli;

import static io.github.etcdgitops.fake.Hostile.assertInert;
import static io.github.etcdgitops.fake.Hostile.assertInertCommands;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.cli.console.Failures;
import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.MoreFormats;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.Terminal;
import io.github.etcdgitops.cli.run.PlanRendering;
import io.github.etcdgitops.doctor.Check;
import io.github.etcdgitops.doctor.Diagnosis;
import io.github.etcdgitops.doctor.DiagnosisText;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.fake.Hostile;
import io.github.etcdgitops.git.publish.CommitMessage;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.CommentBody;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.format.Checks;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.page.FleetPage;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every field of what is told that somebody else may have written, in every form, on every way out.
class HostileTextsTest {
    static final List<String> TEXTS = Hostile.TEXTS;
    private static final Instant NOW = Instant.parse("2026-11-22T03:00:00Z");
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    private static final DesiredState DESIRED = new DesiredState(
            Fleet.DEFAULT, new TreeMap<>(), List.of(), Protection.NONE, new TreeSet<>(), List.of(), "digest");

    @TempDir
    Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final InertStream stream = InertStream.over(new PrintStream(bytes, true, UTF_8));

    /// Without our own emphasis, and without the line that changes.
    private String written() {
        String text = bytes.toString(UTF_8);
        bytes.reset();
        return text.replaceAll("\u001b\\[\\d+m|\r\u001b\\[K", "");
    }

    private static FleetPlan plan(String text) {
        var finding = Finding.ofRule(Finding.Level.ERROR, "code", text);
        var operation = new PlannedOperation(new ScaleIn(ORDERS, 2, false), List.of(), new Verdict.Hold(text, text));
        var ring = new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.CHANGES,
                new Quorum(3, 3),
                List.of(operation, operation.with(new Verdict.Deny(text, text))),
                List.of(new ClusterPlan.Waiting(text, text)),
                List.of(finding, Finding.ofRule(Finding.Level.NOTE, "other", text)),
                new TreeMap<>(Map.of("version", text)));
        return new FleetPlan(
                text,
                "sha256:0123456789abcdef",
                text,
                List.of(ring, ClusterPlan.rejected(new ClusterRef("demo", "carts"), List.of(finding))),
                List.of(Violation.of("syntax", new Location(text, 1, 1, text), text, text)));
    }

    /// A plan and a run, in all forms.
    private static Rendering rendering(String text) {
        var plan = plan(text);
        var result = new ClusterResult(ORDERS, ClusterResult.Outcome.FAILED, text, List.of());
        return new Rendering() {
            @Override
            public Lines human(Style style) {
                return new Human(style).plan(plan).append(new Human(style).results(List.of(result)));
            }

            @Override
            public String json() {
                return new PlanRendering(plan, DESIRED, NOW).json();
            }

            @Override
            public String markdown() {
                return new PlanRendering(plan, DESIRED, NOW).markdown();
            }

            @Override
            public Optional<String> html() {
                return Optional.of(FleetPage.of(plan, NOW).html());
            }

            @Override
            public Optional<Checks> checks() {
                return Optional.of(Checks.ofPlan(plan, DESIRED));
            }
        };
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void everyFormOfAPlanIsInertOnATerminalAndInAFile(String text) throws Exception {
        for (String format : List.of("human", "json", "markdown", "html", "junit", "sarif", "github")) {
            var options = new Options.Output(MoreFormats.PAGE, MoreFormats.CHECKS);
            options.formats = List.of(format, format + "=" + folder.resolve(format));
            new Outputs(options, new Terminal(true, Map.of()), stream).write(rendering(text));

            for (String out : List.of(written(), Files.readString(folder.resolve(format)))) {
                if (format.equals("github")) {
                    assertInertCommands(format, out);
                } else {
                    assertInert(format, out);
                }
                assertThat(out).isNotBlank();
            }
        }
        assertThat(new ObjectMapper().readTree(Files.readString(folder.resolve("json"))))
                .isNotEmpty();
        assertThat(new ObjectMapper().readTree(Files.readString(folder.resolve("sarif"))))
                .isNotEmpty();
        var junit = new ByteArrayInputStream(Files.readAllBytes(folder.resolve("junit")));
        assertThat(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit))
                .isNotNull();
        assertThat(Files.readString(folder.resolve("html"))).doesNotContain("<script>forged", "<img src=x");
        assertThat(Files.readString(folder.resolve("markdown")).replaceAll("`[^`\n]*`", "code"))
                .doesNotContain("<script", "<img");
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void progressIsInert(String text) {
        for (String log : List.of("text", "json")) {
            var options = new Options.Output();
            options.logFormat = log;
            var progress = new Progress(stream, options, new Terminal(true, Map.of()), text);
            progress.say(text);
            for (var result :
                    List.of(new StepResult.Failed(text), new StepResult.Held(text), new StepResult.Done(text))) {
                progress.of(ORDERS)
                        .ended(new StepEvent(
                                text, text, new MemberStep.Promote(1), result, NOW, Duration.ofSeconds(1)));
            }

            String out = written();

            assertInert(log, out);
            assertThat(out.lines()).hasSize(4);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void printsFailureAsOneInertLine(String text) {
        Failures.report(new RunException(RunException.Kind.CONFIGURATION, text), stream);

        String out = written();

        assertInert("failure", out);
        assertThat(out.lines()).singleElement().asString().startsWith("error: ");
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void rendersDiagnosisInert(String text) {
        var diagnosis = new Diagnosis(List.of(new Diagnosis.Section(
                text,
                List.of(
                        new Check.Ok(text, text),
                        new Check.Failed(text, Trouble.RIGHTS, text, List.of(text, text)),
                        new Check.Skipped(text, text)))));
        for (String format : List.of("human", "json", "markdown")) {
            var options = new Options.Output();
            options.formats = List.of(format);
            new Outputs(options, new Terminal(true, Map.of()), stream).write(new DiagnosisText(diagnosis, false));

            assertInert(format, written());
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void keepsActiveCharactersOutOfComments(String text) {
        String body = CommentBody.quoted("a", text, 10_000, Optional.empty());

        assertThat(body.codePoints().filter(c -> c != '\n' && Inert.acts(c))).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void writesOnlyGivenTrailersToCommit(String text) throws IOException {
        var trailers = new LinkedHashMap<>(Map.of("Etcd-Gitops-Plan-Hash", "sha256:00"));
        var author = new CommitMessage.Author("etcd-gitops", "etcd-gitops@localhost");

        var message = new CommitMessage("Plan: " + text, "", trailers, author, NOW);

        assertInert("subject", message.subject());
        assertThat(message.subject()).doesNotContain("\n");
        assertThat(new TreeSet<>(message.trailers().keySet())).containsExactly("Etcd-Gitops-Plan-Hash");
    }
}
