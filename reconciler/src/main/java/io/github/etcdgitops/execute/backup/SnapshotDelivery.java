package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.backup.SnapshotReader;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.job.JobStart;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Sends a snapshot into the pod of a Job, and waits until the Job reaches its goal. One instance per Job.
public final class SnapshotDelivery {
    /// How long a started pod may make no progress before a person should check: it may not be listening.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// From here on, exit codes mean that the program could not start, or that it was ended from outside.
    private static final int NOT_BY_ITSELF = 126;

    private static final Duration STALL = Duration.ofMinutes(2);

    private final StepContext context;
    private final ImageOrder loading;
    private final RestoreJob job;
    private final Origin origin;
    private final LongConsumer moved;
    private final JobStart start;
    private String sentTo = "";
    private Class<? extends Phase> phase = Phase.class;
    private Instant lively;
    private Optional<Ending> ending = Optional.empty();

    /// The snapshot as etcd sent it, from its first byte. Each send opens it and closes it.
    @FunctionalInterface
    public interface Origin {
        InputStream open() throws IOException, SnapshotReader.Damaged;
    }

    /// The result. A fault is in the snapshot, or in etcd with this snapshot; trouble is everything else on
    /// the way.
    public sealed interface Ending {
        record Reached(RestoreJobs.State state) implements Ending {}

        record Fault(String reason) implements Ending {}

        record Trouble(String reason) implements Ending {}
    }

    public SnapshotDelivery(
            StepContext context, ImageOrder loading, RestoreJob job, Origin origin, LongConsumer moved) {
        this.context = context;
        this.loading = loading;
        this.job = job;
        this.origin = origin;
        this.moved = moved;
        this.lively = context.now();
        this.start = new JobStart(context, job.namespace(), job.name());
    }

    /// Waits until the Job is `goal`: [Phase.Succeeded] for a restore, [Phase.Serving] for a drill.
    public Ending until(Class<? extends Phase> goal, Duration deadline) {
        var missing = context.awaitTurn(deadline, () -> look(goal));
        return ending.orElseGet(() -> new Ending.Trouble(missing.orElse("")));
    }

    private Optional<String> look(Class<? extends Phase> goal) {
        var state = loading.jobs().read(context.ref(), job.namespace(), job.name());
        if (state.isEmpty()) {
            return end(new Ending.Trouble("the Job " + job.namespace() + "/" + job.name() + " is gone"));
        }
        if (!state.get().incarnation().equals(job.target().incarnation())) {
            return end(new Ending.Trouble("the Job " + job.name() + " was replaced, and not by this run"));
        }
        var now = state.get().phase();
        if (goal.isInstance(now)) {
            return end(new Ending.Reached(state.get()));
        }
        if (!now.getClass().equals(phase)) {
            phase = now.getClass();
            lively = context.now();
        }
        return switch (now) {
            case Phase.Pending pending -> {
                var seen = start.look(state.get(), pending);
                yield seen.hopeless() ? end(new Ending.Trouble(seen.said())) : Optional.of(seen.said());
            }
            case Phase.Receiving _ -> send(state.get());
            case Phase.Restoring _ -> Optional.of("etcd restores the snapshot");
            case Phase.Settling _ -> Optional.of("the data is being flushed to disk");
            case Phase.Serving _, Phase.Copying _, Phase.Told _, Phase.Measured _, Phase.Succeeded _ ->
                end(new Ending.Trouble("the Job " + job.name() + " ended unexpectedly"));
            case Phase.Failed failed -> end(judged(failed));
        };
    }

    private Optional<String> end(Ending with) {
        ending = Optional.of(with);
        return Optional.empty();
    }

    private Optional<String> patiently(String what) {
        return context.now().isAfter(lively.plus(PATIENCE))
                ? end(new Ending.Trouble(what + " (no progress for " + PATIENCE.toMinutes() + " minutes)"))
                : Optional.of(what);
    }

    /// What etcd says about the snapshot is about the snapshot. Problems of our own containers, or of a
    /// disk that is too small, are not.
    private Ending judged(Phase.Failed failed) {
        String container = failed.container();
        String what = "the Job " + job.name() + " failed"
                + (container.isEmpty() ? "" : " in its container " + container)
                + (failed.exitCode() < 0 ? "" : " with exit code " + failed.exitCode())
                + (failed.reason().isEmpty() ? "" : ": " + failed.reason())
                + (failed.excerpt().isEmpty() ? "" : " (" + failed.excerpt() + ")");
        boolean etcd = container.equals("restore") || container.equals("serve");
        boolean byItself = failed.exitCode() > 0 && failed.exitCode() < NOT_BY_ITSELF;
        boolean full = failed.excerpt().contains("no space left");
        return etcd && byItself && !full ? new Ending.Fault(what) : new Ending.Trouble(what);
    }

    /// What happened to the Job since it reached its goal; empty where it is still there.
    Optional<Ending> since() {
        var state = loading.jobs()
                .read(context.ref(), job.namespace(), job.name())
                .filter(s -> s.incarnation().equals(job.target().incarnation()));
        if (state.isEmpty()) {
            return Optional.of(new Ending.Trouble("the Job " + job.namespace() + "/" + job.name() + " is gone"));
        }
        return state.get().phase() instanceof Phase.Failed failed ? Optional.of(judged(failed)) : Optional.empty();
    }

    /// A complete transfer is not repeated; a broken connection only costs time.
    private Optional<String> send(RestoreJobs.State state) {
        var pod = state.pod();
        if (pod.isEmpty() || pod.get().uid().equals(sentTo)) {
            return patiently("the pod of Job " + job.name() + " receives the snapshot");
        }
        var address = new MemberAccess.Pod(
                context.ref(), job.namespace(), pod.get().name(), pod.get().ip());
        try (var plain = origin.open()) {
            long[] before = {0};
            loading.receiver().send(address, job.snapshot().digest(), plain, STALL, sent -> {
                lively = context.now();
                moved.accept(sent - before[0]);
                before[0] = sent;
            });
            sentTo = pod.get().uid();
            return Optional.of("the snapshot has arrived");
        } catch (SnapshotReader.Damaged e) {
            return end(new Ending.Trouble(String.valueOf(e.getMessage())));
        } catch (GatewayException e) {
            return again(e);
        } catch (IOException e) {
            return e.getCause() instanceof GatewayException known
                    ? again(known)
                    : patiently("reading the snapshot was interrupted");
        }
    }

    private Optional<String> again(GatewayException e) {
        return switch (e.kind()) {
            case UNREACHABLE, TIMEOUT -> patiently(String.valueOf(e.getMessage()));
            case REJECTED, UNAUTHORIZED, NOT_FOUND, CONFLICT -> end(new Ending.Trouble(String.valueOf(e.getMessage())));
        };
    }
}
