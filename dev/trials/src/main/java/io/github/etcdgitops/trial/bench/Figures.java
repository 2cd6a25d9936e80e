package io.github.etcdgitops.trial.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// What a trial measured, in the order in which it was found.
public final class Figures {
    private final Map<String, Object> values = new LinkedHashMap<>();

    public synchronized void put(String name, Object value) {
        values.put(name, value);
    }

    public synchronized void count(String name) {
        values.merge(name, 1L, (a, b) -> (Long) a + (Long) b);
    }

    /// One part of a trial.
    @FunctionalInterface
    public interface Act {
        void run() throws Exception;
    }

    /// How long it took, in milliseconds.
    public void timed(String name, Act act) throws Exception {
        long began = System.nanoTime();
        act.run();
        put(name + "Millis", (System.nanoTime() - began) / 1_000_000);
    }

    public synchronized Map<String, Object> toMap() {
        return new LinkedHashMap<>(values);
    }

    /// One line: only what is short.
    public synchronized String line() {
        return values.entrySet().stream()
                .filter(e -> !(e.getValue() instanceof Iterable<?>) && !(e.getValue() instanceof Map<?, ?>))
                .map(e -> e.getKey() + "=" + String.valueOf(e.getValue()).replace(' ', '_'))
                .collect(Collectors.joining(" "));
    }
}
