package io.github.etcdgitops.trial.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Members;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// When which pod of a ring was another one, and when its term rose, looked at five times a second.
public final class RingHistory implements AutoCloseable {
    private final Members members;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, String> uids = new HashMap<>();
    private final List<Moment> moments = new ArrayList<>();
    private long term;

    /// `restart` names the pod; otherwise it is an election.
    public record Moment(Instant at, String restart) {
        public boolean election() {
            return restart.isEmpty();
        }
    }

    public RingHistory(Bench bench, String ring) {
        this.members = new Members(bench, ring);
        look();
        clock.scheduleWithFixedDelay(this::look, 200, 200, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            var now = Instant.now();
            members.pods().forEach(pod -> seen(pod, now));
            long found = members.term();
            rose(found, now);
        } catch (RuntimeException _) {
            // The API server or the ring does not answer now; the next look sees what has changed.
            return;
        }
    }

    private synchronized void seen(Pod pod, Instant now) {
        String name = pod.getMetadata().getName();
        String before = uids.put(name, pod.getMetadata().getUid());
        if (before != null && !before.equals(pod.getMetadata().getUid())) {
            moments.add(new Moment(now, name));
        }
    }

    private synchronized void rose(long found, Instant now) {
        for (; term > 0 && term < found; term++) {
            moments.add(new Moment(now, ""));
        }
        term = Math.max(term, found);
    }

    public synchronized List<Moment> moments() {
        return List.copyOf(moments);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
