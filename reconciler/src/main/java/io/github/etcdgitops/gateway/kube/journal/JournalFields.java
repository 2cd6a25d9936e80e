package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.gateway.kube.api.Moments;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The fields of one object of the journal, each to be taken once. What is wrong with one is an
/// IllegalArgumentException that names it with its path.
final class JournalFields {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,16}");
    private static final Pattern ORDINAL = Pattern.compile("0|[1-9]\\d{0,3}");
    private static final int MAX_ORDINAL = 9999;
    private static final long MAX_EPOCH = Integer.MAX_VALUE;

    private final String path;
    private final TreeMap<String, Object> left;

    JournalFields(String path, Map<String, Object> tree) {
        this.path = path;
        this.left = new TreeMap<>(tree);
    }

    /// Names of what was not taken yet.
    Set<String> names() {
        return Collections.unmodifiableSet(new TreeMap<>(left).keySet());
    }

    /// All that was not taken yet, whatever it is, but for nulls.
    SortedMap<String, Object> rest() {
        left.forEach(this::requireNoNull);
        return Collections.unmodifiableSortedMap(left);
    }

    private void requireNoNull(String field, @Nullable Object value) {
        switch (value) {
            case null -> throw wrong(field, "is null");
            case Map<?, ?> map -> map.forEach((key, item) -> requireNoNull(field + "." + key, item));
            case List<?> list -> list.forEach(item -> requireNoNull(field, item));
            default -> {}
        }
    }

    Instant time(String field) {
        return Moments.parse(text(field)).orElseThrow(() -> wrong(field, "is not a time"));
    }

    /// A number of takeovers, which the Lease keeps in 32 bits and the next one makes larger by one.
    long epoch(String field) {
        long number = number(field);
        if (number >= MAX_EPOCH) {
            throw wrong(field, "is " + number + ", and must be less than " + MAX_EPOCH);
        }
        return number;
    }

    IllegalArgumentException wrong(String field, String what) {
        return new IllegalArgumentException("the journal's field " + path + field + " " + what);
    }

    void done() {
        if (!left.isEmpty()) {
            throw wrong(left.firstKey(), "is unknown");
        }
    }

    Optional<Object> take(String field) {
        return Optional.ofNullable(left.remove(field));
    }

    long number(String field) {
        return optionalNumber(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    Optional<Long> optionalNumber(String field) {
        return optionalWhole(field).map(number -> {
            if (number < 0) {
                throw wrong(field, "is negative");
            }
            return number;
        });
    }

    /// May be negative: etcd says -1 where nothing was ever compacted.
    long whole(String field) {
        return optionalWhole(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    Optional<Long> optionalWhole(String field) {
        return take(field).map(value -> switch (value) {
            case Integer i -> i.longValue();
            case Long l -> l;
            default -> throw wrong(field, "is not a whole number");
        });
    }

    int ordinal(String field) {
        long number = number(field);
        if (number > MAX_ORDINAL) {
            throw wrong(field, "is not an ordinal");
        }
        return (int) number;
    }

    /// Of a field whose name is one.
    int asOrdinal(String field) {
        if (!ORDINAL.matcher(field).matches()) {
            throw wrong(field, "is not an ordinal");
        }
        return Integer.parseInt(field);
    }

    String text(String field) {
        return optionalText(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    Optional<String> optionalText(String field) {
        return take(field).map(value -> switch (value) {
            case String s when !s.isEmpty() -> s;
            default -> throw wrong(field, "is not a text");
        });
    }

    Optional<EtcdId> id(String field) {
        return optionalText(field).map(hex -> asId(field, hex));
    }

    /// None where there is no such field.
    List<EtcdId> optionalIds(String field) {
        return optionalTexts(field).stream().map(hex -> asId(field, hex)).toList();
    }

    private EtcdId asId(String field, String hex) {
        if (!ID.matcher(hex).matches()) {
            throw wrong(field, "is not an id in hexadecimal digits");
        }
        return EtcdId.parse(hex);
    }

    JournalFields object(String field) {
        return optionalObject(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    Optional<JournalFields> optionalObject(String field) {
        return take(field).map(value -> object(field, value));
    }

    JournalFields object(String field, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(field, "is not an object");
        }
        var tree = new TreeMap<String, Object>();
        map.forEach((key, item) -> {
            if (item == null) {
                throw wrong(field + "." + key, "is null");
            }
            tree.put(String.valueOf(key), item);
        });
        return new JournalFields(path + field + ".", tree);
    }

    List<JournalFields> objects(String field) {
        return list(field).stream().map(item -> object(field, item)).toList();
    }

    /// None where there is no such field.
    List<String> optionalTexts(String field) {
        return left.containsKey(field) ? texts(field) : List.of();
    }

    List<String> texts(String field) {
        return list(field).stream()
                .map(item -> switch (item) {
                    case String text -> text;
                    default -> throw wrong(field, "is not a list of texts");
                })
                .toList();
    }

    List<?> list(String field) {
        return switch (take(field).orElseThrow(() -> wrong(field, "is missing"))) {
            case List<?> list -> list;
            default -> throw wrong(field, "is not a list");
        };
    }
}
