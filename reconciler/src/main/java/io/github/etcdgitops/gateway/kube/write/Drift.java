package io.github.etcdgitops.gateway.kube.write;

import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a live object differs from the rendered one, as JSON pointers (RFC 6901) into it.
///
/// What the API server defaults or adds is no drift: a live object may have more than requested. The
/// exceptions are maps where one more key changes the meaning: a selector that selects less, extra data, a
/// narrower rule of a network policy.
public final class Drift {
    private static final Set<String> EXACT =
            Set.of("data", "selector", "podSelector", "namespaceSelector", "matchLabels", "ingress");
    private static final Set<String> QUANTITIES = Set.of("limits", "requests");

    /// The version under which a server serves an object, and what only identifies its last writer.
    private static final Set<String> NOT_COMPARED =
            Set.of("/apiVersion", "/kind", "/metadata/annotations" + escaped(Labels.EPOCH));

    /// Fields that older servers silently drop: missing, they are no drift; different, they are.
    private static final Set<String> MAY_BE_DROPPED = Set.of("/spec/persistentVolumeClaimRetentionPolicy");

    private final List<String> pointers = new ArrayList<>();

    private Drift() {}

    /// Sorted by pointer; empty means that there is nothing to correct.
    public static List<String> pointers(Map<String, Object> wanted, Map<String, Object> live) {
        var drift = new Drift();
        drift.compareMaps("", wanted, live, new Mode(false, false));
        return drift.pointers.stream().sorted().toList();
    }

    /// How the value below a key is compared. `exact` also applies below it, `quantities` does not.
    private record Mode(boolean exact, boolean quantities) {
        Mode below(String key) {
            return new Mode(exact || EXACT.contains(key), QUANTITIES.contains(key));
        }

        Mode ofElement() {
            return new Mode(exact, false);
        }
    }

    private void compareMaps(String at, Map<?, ?> wanted, Map<?, ?> live, Mode mode) {
        wanted.forEach((key, value) -> compareField(at, String.valueOf(key), value, live.get(key), mode));
        if (mode.exact) {
            live.forEach((key, value) -> {
                if (!wanted.containsKey(key)) {
                    compareField(at, String.valueOf(key), null, value, mode);
                }
            });
        }
    }

    private void compareField(String at, String key, @Nullable Object wanted, @Nullable Object live, Mode mode) {
        String pointer = at + escaped(key);
        boolean dropped = live == null && MAY_BE_DROPPED.contains(pointer);
        if (!NOT_COMPARED.contains(pointer) && !dropped) {
            compare(pointer, wanted, live, mode.quantities ? mode : mode.below(key));
        }
    }

    private void compare(String at, @Nullable Object wanted, @Nullable Object live, Mode mode) {
        if (wanted == null && !mode.exact) {
            return;
        }
        if (blank(wanted) && (live == null || (mode.exact && blank(live)))) {
            return;
        }
        if (wanted instanceof Map<?, ?> a && live instanceof Map<?, ?> b) {
            compareMaps(at, a, b, mode);
        } else if (wanted instanceof List<?> a && live instanceof List<?> b) {
            compareLists(at, a, b, mode);
        } else if (!sameScalar(wanted, live, mode)) {
            pointers.add(at);
        }
    }

    private void compareLists(String at, List<?> wanted, List<?> live, Mode mode) {
        for (int i = 0; i < Math.max(wanted.size(), live.size()); i++) {
            String pointer = at + "/" + i;
            if (i < wanted.size() && i < live.size()) {
                compare(pointer, wanted.get(i), live.get(i), mode.ofElement());
            } else {
                pointers.add(pointer);
            }
        }
    }

    /// The API server leaves out empty values.
    private static boolean blank(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Boolean flag -> !flag;
            case Map<?, ?> map -> map.isEmpty();
            case List<?> list -> list.isEmpty();
            default -> false;
        };
    }

    private static boolean sameScalar(@Nullable Object wanted, @Nullable Object live, Mode mode) {
        if (wanted == null || live == null) {
            return wanted == null && live == null;
        }
        if (mode.quantities) {
            return sameQuantity(wanted.toString(), live.toString());
        }
        if (wanted instanceof Number || live instanceof Number) {
            var a = number(wanted);
            return a.isPresent()
                    && number(live).filter(b -> a.get().compareTo(b) == 0).isPresent();
        }
        return Objects.equals(wanted, live);
    }

    /// A port may be a number or a text with that number.
    private static Optional<BigDecimal> number(Object value) {
        try {
            return value instanceof Number || value instanceof String
                    ? Optional.of(new BigDecimal(value.toString()))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean sameQuantity(String wanted, String live) {
        if (wanted.equals(live)) {
            return true;
        }
        var asked = Quantity.parse(wanted);
        return asked.isPresent()
                && Quantity.parse(live)
                        .filter(given -> given.compareTo(asked.get()) == 0)
                        .isPresent();
    }

    private static String escaped(String key) {
        return "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
