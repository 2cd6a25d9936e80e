package io.github.etcdgitops.document.yaml;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Results of a pure function of a text. The documents of a fleet contain the same texts again and again, so the
/// results for the first thousand short texts are kept.
public final class Repeated<T> {
    private static final int MOST = 1000;
    private static final int LONGEST = 64;

    private final Map<String, T> known = new ConcurrentHashMap<>();
    private final Function<String, T> function;

    public Repeated(Function<String, T> function) {
        this.function = function;
    }

    public T of(String text) {
        T before = known.get(text);
        if (before != null) {
            return before;
        }
        T result = function.apply(text);
        if (text.length() <= LONGEST && known.size() < MOST) {
            T first = known.putIfAbsent(text, result);
            return first == null ? result : first;
        }
        return result;
    }
}
