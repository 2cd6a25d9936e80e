package io.github.etcdgitops.spec.auth;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The keys from `from` on that are smaller than `end`, as etcd stores them with a permission. Both are
/// bytes: each `char` is one byte, 0 to 255, so that texts sort as etcd sorts keys. An empty `end` means the
/// one key `from`, and an `end` of one zero byte means every key from `from` on.
///
/// Source: `api/authpb/auth.proto` and `clientv3.GetPrefixRangeEnd` of etcd.
public record KeyRange(String from, String end) implements Comparable<KeyRange> {
    private static final String ZERO = "\0";
    private static final String FIRST = "\001";
    private static final char LAST_BYTE = 0xff;
    private static final int SHOWN = 100;

    /// Every key.
    public static final KeyRange ALL = new KeyRange(ZERO, ZERO);

    /// That one key.
    public static KeyRange key(String key) {
        return new KeyRange(bytes(key), "");
    }

    /// Every key that begins with `prefix`; every key where it is empty.
    public static KeyRange prefix(String prefix) {
        String from = bytes(prefix);
        return from.isEmpty() ? ALL : new KeyRange(from, after(from));
    }

    /// The keys from `from` on that are smaller than `to`.
    public static KeyRange range(String from, String to) {
        return new KeyRange(bytes(from), bytes(to));
    }

    /// Every key from `from` on.
    public static KeyRange onwards(String from) {
        return new KeyRange(bytes(from), ZERO);
    }

    /// As etcd gives them.
    public static KeyRange ofBytes(byte[] from, byte[] end) {
        return new KeyRange(
                new String(from, StandardCharsets.ISO_8859_1), new String(end, StandardCharsets.ISO_8859_1));
    }

    public byte[] fromBytes() {
        return from.getBytes(StandardCharsets.ISO_8859_1);
    }

    public byte[] endBytes() {
        return end.getBytes(StandardCharsets.ISO_8859_1);
    }

    public boolean isEverything() {
        return end.equals(ZERO) && (from.isEmpty() || from.equals(ZERO));
    }

    /// Whether every key is in one of these ranges. Keys that begin with a zero byte do not count: only the empty
    /// prefix grants them.
    public static boolean areEverything(Collection<KeyRange> ranges) {
        String covered = FIRST;
        for (var range : new TreeSet<>(ranges)) {
            if (range.from().compareTo(covered) > 0) {
                return false;
            }
            if (range.open()) {
                return true;
            }
            covered = covered.compareTo(range.upper()) < 0 ? range.upper() : covered;
        }
        return false;
    }

    /// Whether every key of `other` is one of these.
    public boolean covers(KeyRange other) {
        if (end.isEmpty()) {
            return other.equals(this);
        }
        return from.compareTo(other.from) <= 0
                && (open() || (!other.open() && other.upper().compareTo(end) <= 0));
    }

    /// Whether a key belongs to both.
    public boolean overlaps(KeyRange other) {
        return (other.open() || from.compareTo(other.upper()) < 0) && (open() || other.from.compareTo(upper()) < 0);
    }

    private boolean open() {
        return end.equals(ZERO);
    }

    /// The smallest key above all of these.
    private String upper() {
        return end.isEmpty() ? from + ZERO : end;
    }

    private boolean isPrefix() {
        return !from.isEmpty() && after(from).equals(end);
    }

    /// For people, not for ids: two long keys can have one text.
    public String describe() {
        if (isEverything()) {
            return "every key";
        }
        if (end.isEmpty()) {
            return "the key " + shown(from);
        }
        if (isPrefix()) {
            return "the prefix " + shown(from);
        }
        return open()
                ? "every key from " + shown(from) + " on"
                : "the keys from " + shown(from) + " up to " + shown(end);
    }

    @Override
    public int compareTo(KeyRange other) {
        return Comparator.comparing(KeyRange::from).thenComparing(KeyRange::end).compare(this, other);
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// The smallest text above all that begin with `prefix`: its last byte that can grow is one greater, and
    /// what follows is cut off.
    private static String after(String prefix) {
        int last = prefix.length() - 1;
        while (last >= 0 && prefix.charAt(last) == LAST_BYTE) {
            last--;
        }
        return last < 0 ? ZERO : prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    /// Bytes that are not printable ASCII appear as `\x00`, and of a long key only the beginning.
    private static String shown(String bytes) {
        String end = bytes.length() > SHOWN ? "…" : "";
        return bytes.chars()
                .limit(SHOWN)
                .mapToObj(b -> b > ' ' && b < 0x7f && b != '\\' ? String.valueOf((char) b) : "\\x%02x".formatted(b))
                .collect(Collectors.joining("", "", end));
    }
}
