package io.github.etcdgitops.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.git.publish.BranchView;
import io.github.etcdgitops.git.publish.CommitMessage;
import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.ReportFiles;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.FindingAges;
import io.github.etcdgitops.report.Markdown;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.RunHistory;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.report.TempoJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.page.DoneStep;
import io.github.etcdgitops.report.page.FleetPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// The report on its own branch: the plan before anything is done, and the results afterwards.
///
/// The branch also records the environment's Kubernetes cluster, so that a second cluster cannot use the
/// environment's name.
public final class ReportBranch {
    public static final String PLAN = "latest/plan.json";

    /// The trailer with the commit whose documents were planned.
    public static final String SOURCE = "Etcd-Gitops-Source-Sha";

    private static final String RUN = "latest/run.json";
    private static final String ENVIRONMENT = "latest/environment.json";
    private static final String FINDINGS = "latest/findings.json";
    private static final String HISTORY = "latest/history.json";
    private static final String TEMPO = "latest/durations.json";
    private static final String PAGE = "latest/index.html";
    static final CommitMessage.Author AUTHOR = new CommitMessage.Author("etcd-gitops", "etcd-gitops@localhost");

    private final ReportPublisher publisher;
    private final InstantSource clock;
    private final String kubeSystemUid;
    private final Consumer<String> warn;
    private final Supplier<Optional<String>> overtaken;

    /// `warn` receives the pages from which something was left out; `overtaken` says why the run's
    /// documents are outdated by now.
    public ReportBranch(
            ReportPublisher publisher,
            InstantSource clock,
            String kubeSystemUid,
            Consumer<String> warn,
            Supplier<Optional<String>> overtaken) {
        this.publisher = publisher;
        this.clock = clock;
        this.kubeSystemUid = kubeSystemUid;
        this.warn = warn;
        this.overtaken = overtaken;
    }

    public static String name(String environment) {
        return "etcd-gitops/reports/" + environment;
    }

    /// Refuses when the branch has another Kubernetes cluster on record. A branch that does not exist yet
    /// has none.
    public void requireSameKubernetes(String environment) {
        requireSame(environment, publisher.readReport(name(environment), ENVIRONMENT));
    }

    /// The Kubernetes cluster on record in the branch; empty where the branch does not exist yet. Only
    /// reads.
    public static Optional<String> recordedKubernetes(ReportPublisher publisher, String environment) {
        return publisher.readReport(name(environment), ENVIRONMENT).flatMap(bytes -> field(bytes, "kubeSystemUid"));
    }

    /// Publishes the plan; the last run's result stays as it is.
    public PublishResult plan(FleetPlan plan, RunContext context) {
        var published = publish(plan, context, "Plan: " + plan.summary(), _ -> Optional.empty());
        String branch = name(plan.environment());
        publisher
                .cloneOf()
                .ifPresent(remote -> warn.accept("the report is on the branch " + branch + " of this clone, not at "
                        + remote + ": `git push " + remote + " " + branch
                        + "` publishes it there. With --repo and the address of the server, etcd-gitops publishes"
                        + " there itself"));
        return published;
    }

    /// Publishes the results, unless the run did nothing that is new to the branch.
    public PublishResult result(FleetPlan after, RunContext context, RunJson.Run run) {
        return publish(after, context, "Run: " + RunHistory.came(run.rings()), view -> {
            boolean news = run.rings().stream().anyMatch(RingRun::hasNews)
                    && !outcomeDigest(view.file(RUN)).equals(Optional.of(RunJson.outcomeDigest(run.rings())));
            boolean acted = run.rings().stream().anyMatch(r -> !r.steps().isEmpty() && r.outcome() == Outcome.DONE);
            return news || acted ? Optional.of(run) : Optional.empty();
        });
    }

    private static Optional<String> outcomeDigest(Optional<byte[]> run) {
        return run.flatMap(bytes -> field(bytes, "outcomeDigest"));
    }

    private PublishResult publish(
            FleetPlan plan, RunContext context, String subject, Function<BranchView, Optional<RunJson.Run>> news) {
        var trailers = new LinkedHashMap<String, String>();
        trailers.put(SOURCE, context.commit());
        trailers.put("Etcd-Gitops-Plan-Hash", PlanJson.hash(plan));
        trailers.put("Etcd-Gitops-Run-Id", context.runId());
        trailers.put("Etcd-Gitops-Report", "v1");
        var message = new CommitMessage(subject, "", trailers, AUTHOR, clock.instant());
        return publisher.publish(
                name(plan.environment()),
                view -> {
                    requireSame(plan.environment(), view.file(ENVIRONMENT));
                    requireNewest();
                    return files(plan, view, news.apply(view), context.runId());
                },
                Ownership.REPORT,
                message);
    }

    /// Publishes one page beside the report of runs, which leave it as it is. `source` is the commit whose documents
    /// it is about.
    public PublishResult page(String environment, String path, String text, String source) {
        var trailers = new LinkedHashMap<String, String>();
        trailers.put(SOURCE, source);
        var files = ReportFiles.of(new TreeMap<>(Map.of(path, publisher.withoutSecrets(bytes(text)))));
        return publisher.publish(
                name(environment),
                view -> {
                    requireSame(environment, view.file(ENVIRONMENT));
                    return files;
                },
                new Ownership(Set.of(path), Set.of()),
                new CommitMessage("Page: " + path, "", trailers, AUTHOR, clock.instant()));
    }

    /// How long steps took in the runs that the branch records. Only reads.
    public static Tempo tempo(ReportPublisher publisher, String environment) {
        return TempoJson.read(publisher.readReport(name(environment), TEMPO).map(ReportBranch::text));
    }

    private ReportFiles files(FleetPlan planned, BranchView view, Optional<RunJson.Run> news, String runId) {
        var now = clock.instant();
        var before = TempoJson.read(view.file(TEMPO).map(ReportBranch::text));
        var tempo = news.map(run -> TempoJson.and(before, run)).orElse(before);
        var plan = planned.at(tempo);
        var sightings = FindingAges.of(plan, view.file(FINDINGS).map(ReportBranch::text), now);
        var known = RunHistory.read(view.file(HISTORY).map(ReportBranch::text));
        var seen = known.withKilled(plan, runId, now);
        var history = news.map(run -> seen.and(run, now)).orElse(seen);
        var files = files(plan, sightings, history);
        var lastRun = news.map(RunJson::render).map(ReportBranch::bytes).or(() -> view.file(RUN));
        lastRun.ifPresent(run -> files.put(RUN, () -> run));
        if (!tempo.steps().isEmpty()) {
            files.put(TEMPO, () -> bytes(TempoJson.json(tempo)));
        }
        if (!history.runs().isEmpty()) {
            files.put(HISTORY, () -> bytes(history.json()));
        }
        // The page contains times and leaders, which alone are no news.
        var page = new ReportFiles.Following(PAGE, () -> {
            var last = DoneStep.ofRun(lastRun.map(publisher::withoutSecrets).map(ReportBranch::text));
            return rendered(new FleetPage(plan, sightings, history, last, now)::html);
        });
        return new ReportFiles(files, Optional.of(page), this::withoutSecrets);
    }

    /// Others have named or written these values. They are no reason to hide the other rings.
    private byte[] withoutSecrets(String path, byte[] content) {
        var clean = publisher.withoutSecrets(content);
        if (!path.equals(PAGE) && !Arrays.equals(clean, content)) {
            warn.accept(path + " of the report contained text that looks like a key or a token. It was removed"
                    + " from the page. Find out who wrote it. If it is a real secret, replace it");
        }
        return clean;
    }

    private SortedMap<String, Supplier<byte[]>> files(FleetPlan plan, FindingAges sightings, RunHistory history) {
        var files = new TreeMap<String, Supplier<byte[]>>();
        files.put("README.md", () -> bytes(Markdown.fleet(plan, "latest/clusters/", sightings, history)));
        files.put(FINDINGS, () -> bytes(sightings.json()));
        files.put(PLAN, () -> rendered(out -> PlanJson.render(plan, out)));
        files.put(
                ENVIRONMENT,
                () -> bytes(Json.write(
                        new TreeMap<>(Map.of("environment", plan.environment(), "kubeSystemUid", kubeSystemUid)))));
        plan.clusters().forEach(cluster -> {
            files.put(
                    "latest/clusters/" + cluster.ref() + ".md",
                    () -> bytes(Markdown.cluster(cluster, sightings, plan.tempo())));
            files.put("latest/clusters/" + cluster.ref() + ".json", () -> bytes(PlanJson.render(cluster, plan)));
        });
        return files;
    }

    /// What has a part for each ring is large, and made in pieces.
    private static byte[] rendered(Consumer<Consumer<String>> rendering) {
        var bytes = new ByteArrayOutputStream();
        rendering.accept(piece -> bytes.writeBytes(bytes(piece)));
        return bytes.toByteArray();
    }

    /// Checked at each attempt, on the branch as it is then: a plan of older documents never replaces one
    /// of newer ones.
    private void requireNewest() {
        overtaken.get().ifPresent(why -> {
            throw new RunException(
                    RunException.Kind.TEMPORARY,
                    why + ". The report does not replace the newer one. The next run plans again. Check whether two"
                            + " reconcilers work on this environment");
        });
    }

    private void requireSame(String environment, Optional<byte[]> record) {
        var recorded = record.flatMap(bytes -> field(bytes, "kubeSystemUid"));
        Environments.requireKubernetes(
                environment, recorded, kubeSystemUid, "recorded on the branch " + name(environment));
    }

    private static Optional<String> field(byte[] json, String name) {
        try {
            return Optional.ofNullable(
                    new ObjectMapper().readTree(json).path(name).textValue());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
