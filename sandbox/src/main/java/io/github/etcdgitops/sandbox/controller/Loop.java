package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import io.github.etcdgitops.sandbox.objects.Watch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A controller at work: changes name keys, and each named key is looked at anew, however many changes named
/// it. A key that fails comes again later and later; nothing that a step throws ends the loop.
final class Loop<K> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration QUIET = Duration.ofSeconds(30);
    private static final long FIRST_DELAY_MILLIS = 10;
    private static final int DOUBLINGS = 9;

    /// Reads what there is for the key, decides and acts. Comes again after the returned time, if any.
    interface Step<K> {
        Optional<Duration> run(K key) throws IOException;
    }

    /// Which keys an object of this kind is of interest for.
    record Source<K>(Resource resource, Function<ObjectNode, Collection<K>> keys) {}

    private record Due<K>(K key, long nanos) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final String name;
    private final KubeObjects objects;
    private final List<Source<K>> sources;
    private final Step<K> step;
    private final DelayQueue<Due<K>> queue = new DelayQueue<>();
    private final Map<K, Due<K>> waiting = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    Loop(String name, KubeObjects objects, List<Source<K>> sources, Step<K> step) {
        this.name = name;
        this.objects = objects;
        this.sources = List.copyOf(sources);
        this.step = step;
    }

    Loop<K> start() {
        for (Source<K> source : sources) {
            threads.add(Thread.ofVirtual()
                    .name(name + " watching " + source.resource().plural())
                    .start(() -> follow(source)));
        }
        threads.add(Thread.ofVirtual().name(name).start(this::work));
        return this;
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void add(K key, Duration in) {
        var due = new Due<>(key, System.nanoTime() + in.toNanos());
        synchronized (waiting) {
            Due<K> earlier = waiting.get(key);
            if (earlier != null && earlier.compareTo(due) <= 0) {
                return;
            }
            waiting.put(key, due);
        }
        queue.add(due);
    }

    private void add(Collection<K> keys) {
        keys.forEach(key -> add(key, Duration.ZERO));
    }

    private void follow(Source<K> source) {
        while (!closed) {
            try {
                long read = list(source);
                try (Watch watch = objects.watch(source.resource(), "", read)) {
                    while (!closed) {
                        watch.next(QUIET).ifPresent(change -> {
                            change.before()
                                    .ifPresent(before -> add(source.keys().apply(before)));
                            add(source.keys().apply(change.object()));
                        });
                    }
                }
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException e) {
                missed(source, e);
            }
        }
    }

    private long list(Source<K> source) {
        KubeObjects.Listing all = objects.list(source.resource(), "");
        all.items().forEach(object -> add(source.keys().apply(object)));
        return all.resourceVersion();
    }

    /// A deletion that was missed names no key any more: so everything is looked at.
    private void missed(Source<K> source, RuntimeException why) {
        LOG.debug("{}: watching {} starts again", name, source.resource().plural(), why);
        try {
            Thread.sleep(FIRST_DELAY_MILLIS);
            sources.forEach(this::list);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("{}: cannot list", name, e);
        }
    }

    private void work() {
        while (!closed) {
            try {
                Due<K> due = queue.take();
                synchronized (waiting) {
                    if (!waiting.remove(due.key(), due)) {
                        continue;
                    }
                }
                attempt(due.key());
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void attempt(K key) {
        try {
            Optional<Duration> again = step.run(key);
            failures.remove(key);
            again.ifPresent(in -> add(key, in));
        } catch (IOException | RuntimeException e) {
            int failed = failures.merge(key, 1, Integer::sum);
            Duration in = Duration.ofMillis(FIRST_DELAY_MILLIS << Math.min(failed - 1, DOUBLINGS));
            if (e instanceof Refusal refusal && (refusal.code() == 409 || refusal.code() == 404)) {
                LOG.debug("{}: {} again in {}: {}", name, key, in, e.getMessage());
            } else if (!closed) {
                LOG.warn("{}: {} failed, again in {}", name, key, in, e);
            }
            add(key, in);
        }
    }
}
