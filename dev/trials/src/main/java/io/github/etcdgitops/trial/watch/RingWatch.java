package io.github.etcdgitops.trial.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.github.etcdgitops.it.LastAnswers;
import io.github.etcdgitops.it.LastAnswers.Answer;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Samples every member's health each 100 ms, beside a log of what was taken away from the ring:
/// members, pods, and replicas of the StatefulSet. Says whether at any instant two voters were down, or
/// a voter's pod was deleted.
///
/// A voter counts as down when it has not answered for half a second, or has had no leader for five: the trial
/// shares its processors with the ring, and neither a single late answer nor an election says anything.
public final class RingWatch implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);

    private final Map<String, Seen> pods = new ConcurrentHashMap<>();
    private final LastAnswers answers = new LastAnswers();
    private final Map<String, AtomicBoolean> busy = new ConcurrentHashMap<>();
    private final List<String> log = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private final boolean restarts;
    private final boolean elections;
    private final Members members;
    private final long began = System.nanoTime();
    private volatile SortedSet<String> voters = new TreeSet<>();
    private volatile boolean armed;
    private int replicas = -1;
    private long samples;
    private long ticks;
    private long longestTick;
    private long lastTick = System.nanoTime();
    private int mostDown;

    private record Seen(String uid, Optional<String> ip, boolean ready, boolean leaving) {}

    /// Of a ring whose members come and go, but do not restart.
    public RingWatch(Bench bench, String name) {
        this(bench, name, false);
    }

    /// `restarts` says that members may be restarted, as long as the others are there.
    public RingWatch(Bench bench, String name, boolean restarts) {
        this(bench, name, restarts, false);
    }

    /// Of a ring whose leader the trial itself takes away: who has none and runs counts as up.
    public static RingWatch throughElections(Bench bench, String name) {
        return new RingWatch(bench, name, false, true);
    }

    private RingWatch(Bench bench, String name, boolean restarts, boolean elections) {
        this.restarts = restarts;
        this.members = new Members(bench, name);
        this.elections = elections;
        closing.add(bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", name)
                .inform(new PodEvents()));
        closing.add(bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(name)
                .watch(new SetEvents()));
        clock.scheduleAtFixedRate(this::tick, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Ends the sampling, writes what was seen, and fails when the ring was ever two voters short.
    public void demand(Figures figures, String prefix) {
        close();
        synchronized (this) {
            figures.put(prefix + "healthSamples", samples);
            figures.put(prefix + "longestSampleIntervalMillis", longestTick);
            figures.put(prefix + "mostVotersDown", mostDown);
            figures.put(prefix + "takenAway", log.size());
            figures.put(prefix + "log", List.copyOf(log));
            TrialFailure.unless(violations.isEmpty(), String.join("; ", violations));
            TrialFailure.unless(samples > 0, "nothing was sampled");
        }
    }

    private void tick() {
        try {
            long now = System.nanoTime();
            synchronized (this) {
                ticks++;
                longestTick = Math.max(longestTick, TimeUnit.NANOSECONDS.toMillis(now - lastTick));
                forgive(now - lastTick - PERIOD.toNanos());
                lastTick = now;
            }
            pods.forEach((pod, seen) -> seen.ip().ifPresent(ip -> once("health " + pod, () -> probe(pod, ip))));
            once("list", this::readList);
            assess(now);
        } catch (RuntimeException e) {
            note("the sampling failed: " + e);
        }
    }

    /// While this process did not get to run, silence says nothing about the members.
    private void forgive(long late) {
        if (late > PERIOD.toNanos()) {
            answers.forgive(late);
        }
    }

    private void once(String what, Runnable work) {
        var flag = busy.computeIfAbsent(what, _ -> new AtomicBoolean());
        if (flag.compareAndSet(false, true)) {
            Thread.ofVirtual().start(() -> {
                try {
                    work.run();
                } finally {
                    flag.set(false);
                }
            });
        }
    }

    private void probe(String pod, String ip) {
        var answer = members.answer(ip);
        answers.heard(pod, elections && answer == Answer.WITHOUT_LEADER ? Answer.LED : answer, System.nanoTime());
        synchronized (this) {
            samples++;
        }
    }

    private void readList() {
        var list = pods.values().stream()
                .filter(s -> s.ready() && !s.leaving())
                .map(Seen::ip)
                .flatMap(Optional::stream)
                .map(members::list)
                .flatMap(Optional::stream)
                .findFirst();
        list.ifPresent(found -> {
            var now = new TreeSet<String>();
            found.stream().filter(m -> !m.learner() && !m.name().isEmpty()).forEach(m -> now.add(m.name()));
            var gone = new TreeSet<>(voters);
            gone.removeAll(now);
            if (armed && !gone.isEmpty()) {
                taken("member removed: " + gone, gone.first());
            }
            voters = now;
        });
    }

    private void assess(long now) {
        var down = down(now);
        if (!armed) {
            armed = !voters.isEmpty() && down.isEmpty() && pods.keySet().containsAll(voters);
            return;
        }
        synchronized (this) {
            mostDown = Math.max(mostDown, down.size());
        }
        if (down.size() > 1) {
            violate("voters " + down + " were down together of " + voters);
        }
    }

    private SortedSet<String> down(long now) {
        var down = new TreeSet<String>();
        for (String voter : voters) {
            if (!pods.containsKey(voter) || answers.isDown(voter, now, inFlight(voter))) {
                down.add(voter);
            }
        }
        return down;
    }

    private boolean inFlight(String voter) {
        var flag = busy.get("health " + voter);
        return flag != null && flag.get();
    }

    /// Something was taken away: `what`, which concerns `pod`.
    private void taken(String what, String pod) {
        var others = down(System.nanoTime());
        others.remove(pod);
        note(what + "; voters " + voters + ", down besides it " + others);
        if (armed && !others.isEmpty()) {
            violate(what + " while " + others + " was down");
        }
    }

    /// The member list is read after the deletion was seen: whoever still votes then was deleted as a
    /// voter.
    private void podLeaves(String pod) {
        taken("pod " + pod + " deleted", pod);
        if (restarts) {
            return;
        }
        pods.entrySet().stream()
                .filter(e -> !e.getKey().equals(pod) && e.getValue().ready())
                .map(e -> e.getValue().ip())
                .flatMap(Optional::stream)
                .map(members::list)
                .flatMap(Optional::stream)
                .findFirst()
                .filter(list -> list.stream().anyMatch(m -> m.name().equals(pod) && !m.learner()))
                .ifPresent(_ -> violate("pod " + pod + " was deleted while its member still voted"));
    }

    private synchronized void note(String text) {
        log.add((System.nanoTime() - began) / 1_000_000 + " ms: " + text);
    }

    private synchronized void violate(String text) {
        if (violations.size() < 20) {
            violations.add((System.nanoTime() - began) / 1_000_000 + " ms: " + text);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        for (var one : closing) {
            try {
                one.close();
            } catch (Exception e) {
                note("closing failed: " + e);
            }
        }
        closing.clear();
    }

    private final class PodEvents implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            put(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            put(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            String name = pod.getMetadata().getName();
            var seen = pods.remove(name);
            answers.forget(name);
            if (seen != null && !seen.leaving()) {
                Thread.ofVirtual().start(() -> podLeaves(name));
            }
        }

        private void put(Pod pod) {
            String name = pod.getMetadata().getName();
            boolean leaving = pod.getMetadata().getDeletionTimestamp() != null;
            boolean ready = pod.getStatus().getConditions().stream()
                    .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
            var before = pods.put(
                    name,
                    new Seen(
                            pod.getMetadata().getUid(),
                            Optional.ofNullable(pod.getStatus().getPodIP()),
                            ready,
                            leaving));
            if (leaving && (before == null || !before.leaving())) {
                Thread.ofVirtual().start(() -> podLeaves(name));
            }
        }
    }

    private final class SetEvents implements Watcher<StatefulSet> {
        @Override
        public void eventReceived(Action action, StatefulSet set) {
            int now = action == Action.DELETED ? 0 : set.getSpec().getReplicas();
            int before = replicas;
            replicas = now;
            if (before > now) {
                taken("replicas " + before + " → " + now, set.getMetadata().getName() + "-" + now);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            note("the watch ended: " + cause.getMessage());
        }
    }
}
