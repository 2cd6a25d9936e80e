package io.github.etcdgitops.plan;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Sorted texts by their names, unmodifiable, in one piece of memory: a plan of thousands of rings has the facts of
/// each, and nearly never reads them.
@SuppressWarnings("JdkObsolete") // the type that a plan has
final class PackedFacts extends AbstractMap<String, String> implements SortedMap<String, String> {
    private static final int UPPER = 16;

    /// Names and texts in turn, each after its length in two characters.
    private final String packed;

    private PackedFacts(String packed) {
        this.packed = packed;
    }

    static PackedFacts of(Map<String, String> facts) {
        if (facts instanceof PackedFacts known) {
            return known;
        }
        var packed = new StringBuilder();
        new TreeMap<>(facts).forEach((name, text) -> {
            put(name, packed);
            put(text, packed);
        });
        return new PackedFacts(packed.toString());
    }

    private static void put(String text, StringBuilder packed) {
        packed.append((char) (text.length() >>> UPPER))
                .append((char) text.length())
                .append(text);
    }

    private SortedMap<String, String> unpacked() {
        var facts = new TreeMap<String, String>();
        int at = 0;
        while (at < packed.length()) {
            String name = text(at);
            at += 2 + name.length();
            String text = text(at);
            at += 2 + text.length();
            facts.put(name, text);
        }
        return Collections.unmodifiableSortedMap(facts);
    }

    private String text(int at) {
        int length = packed.charAt(at) << UPPER | packed.charAt(at + 1);
        return packed.substring(at + 2, at + 2 + length);
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return unpacked().entrySet();
    }

    @Override
    public @Nullable String get(Object name) {
        return unpacked().get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        return unpacked().containsKey(name);
    }

    @Override
    public boolean isEmpty() {
        return packed.isEmpty();
    }

    @Override
    public @Nullable Comparator<? super String> comparator() {
        return null;
    }

    @Override
    public SortedMap<String, String> subMap(String from, String to) {
        return unpacked().subMap(from, to);
    }

    @Override
    public SortedMap<String, String> headMap(String to) {
        return unpacked().headMap(to);
    }

    @Override
    public SortedMap<String, String> tailMap(String from) {
        return unpacked().tailMap(from);
    }

    @Override
    public String firstKey() {
        return unpacked().firstKey();
    }

    @Override
    public String lastKey() {
        return unpacked().lastKey();
    }
}
