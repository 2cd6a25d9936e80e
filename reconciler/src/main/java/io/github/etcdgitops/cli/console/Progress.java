package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Reports progress on standard error: lines for people on a terminal, JSON lines elsewhere.
public final class Progress {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InertStream err;
    private final boolean quiet;
    private final boolean json;
    private final Style style;
    private final String runId;
    private final Map<ClusterRef, TransferProgress> transfers = new ConcurrentHashMap<>();

    public static ProgressForm manner(Options.Output options, Terminal terminal) {
        boolean json = options.logFormat == null ? !terminal.interactive() : options.logFormat.equals("json");
        return new ProgressForm(options.quiet, json);
    }

    public Progress(InertStream err, Options.Output options, Terminal terminal, String runId) {
        this.err = err;
        this.quiet = options.quiet;
        this.json = manner(options, terminal).json();
        this.style = terminal.colours(options.noColor) && !json ? Style.ansi() : Style.PLAIN;
        this.runId = runId;
    }

    /// The message after a request to end this process.
    public static void ending(Surface process, Options.Output options) {
        new Progress(process.err(), options, process.terminal(), "")
                .say("asked to stop: finishing the current step, then publishing the result");
    }

    public void say(String message) {
        if (!quiet) {
            line(json ? JsonLine.of(Map.of("run", runId, "message", message)) : message);
        }
    }

    /// The listener of one ring. A step that may take minutes is announced, so that it does not look like a
    /// hang.
    public StepListener of(ClusterRef ref) {
        return new StepListener() {
            @Override
            public void begins(Operation operation, Step step) {
                if (!quiet && !json && step.deadline().compareTo(LONG) >= 0) {
                    line(style.faint().apply(ref + "  " + step.text(ref) + " …"));
                }
            }

            @Override
            public void waits(String missing) {
                if (!quiet) {
                    line(
                            json
                                    ? JsonLine.of(Map.of(
                                            "run", runId, "ring", ref.toString(), "message", "waits: " + missing))
                                    : style.faint().apply(ref + "  waits: " + missing));
                }
            }

            @Override
            public void ended(StepEvent event) {
                Optional.ofNullable(transfers.remove(ref)).ifPresent(TransferProgress::ended);
                if (!quiet) {
                    line(json ? jsonStep(ref, event) : textStep(ref, event));
                }
            }
        };
    }

    /// The progress of a snapshot; may be called for every piece.
    public void moved(ClusterRef ref, long bytes, long total) {
        if (!quiet && bytes > 0) {
            transfers
                    .computeIfAbsent(
                            ref,
                            r -> new TransferProgress(
                                    err, new ProgressForm(quiet, json), Surface.clock(), r.toString()))
                    .moved(bytes, total);
        }
    }

    private synchronized void line(String text) {
        err.println(text);
    }

    private String textStep(ClusterRef ref, StepEvent event) {
        String seconds = String.format(Locale.ROOT, "%.1fs", event.took().toMillis() / 1000.0);
        String word = RingRun.word(event.result());
        String coloured = switch (event.result()) {
            case StepResult.Done _ -> style.good().apply(word);
            case StepResult.AlreadySo _ -> style.faint().apply(word);
            case StepResult.Held _ -> style.doubt().apply(word);
            case StepResult.Failed _, StepResult.Fenced _ -> style.bad().apply(word);
        };
        String detail = event.result().ok() ? "" : ": " + event.result().detail();
        return style.strong().apply(ref.toString()) + "  " + event.step().text(ref) + "  " + coloured + detail + "  "
                + style.faint().apply(seconds);
    }

    private String jsonStep(ClusterRef ref, StepEvent event) {
        var line = new TreeMap<String, Object>();
        line.put("run", runId);
        line.put("ring", ref.toString());
        line.put("operation", event.operationKind());
        line.put("operationId", event.operationId());
        line.put("step", event.step().name());
        line.put("message", event.step().text(ref));
        line.put("result", RingRun.word(event.result()));
        line.put("detail", event.result().detail());
        line.put("time", event.began().toString());
        line.put("millis", event.took().toMillis());
        return JsonLine.of(line);
    }
}
