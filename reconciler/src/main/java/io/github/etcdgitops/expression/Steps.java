package io.github.etcdgitops.expression;

import com.google.common.collect.Iterables;
import dev.cel.common.ast.CelExpr;
import io.github.etcdgitops.spec.ring.Rule;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The limit for all expressions of one question together: it counts steps, and what they create or read.
/// It counts instead of measuring time, so that a question has the same result on every machine.
final class Steps {
    /// A readable rule needs some hundred.
    private static final int MOST = 300_000;

    /// The largest value of a variable: from a larger one, the next could grow a thousand times.
    private static final int LARGEST = 16_384;

    private final Rule.Allowance allowance;
    private final boolean shared;
    private int left;

    /// The remaining allowance, up to the most that one question may use.
    Steps(Rule.Allowance allowance) {
        this.allowance = allowance;
        this.shared = allowance.left() < MOST;
        this.left = Math.min(MOST, allowance.left());
    }

    /// A new list is charged with everything in it, at any depth: lists share their contents, and comparing
    /// or printing them walks through all of it.
    void take(CelExpr expression, Object value) {
        boolean made = switch (expression.getKind()) {
            case CALL, LIST, MAP, STRUCT, COMPREHENSION -> true;
            case CONSTANT, IDENT, SELECT, NOT_SET -> false;
        };
        int cost = made ? Math.max(0, left) - size(value, Math.max(0, left)) : 1 + shallow(value);
        left -= Math.max(1, cost);
        allowance.take(Math.max(1, cost));
        if (left < 0) {
            throw new Unanswerable(
                    shared
                            ? "together, the expressions evaluated for this ring take too many steps or produce too"
                                    + " much ("
                                    + allowance.most() + " steps, characters and items at most), and this one was"
                                    + " stopped. Look for expensive expressions before it"
                            : "it takes too many steps or produces too much (" + MOST
                                    + " steps, characters and items at most)");
        }
    }

    static boolean isLarge(Object value) {
        return size(value, LARGEST) < 0;
    }

    private static int shallow(Object value) {
        return value instanceof CharSequence text
                ? text.length()
                : value instanceof Collection<?> list ? list.size() : 0;
    }

    /// What is left of `room` after the value; negative where it does not fit.
    private static int size(Object value, int room) {
        int rest = room - 1 - (value instanceof CharSequence text ? text.length() : 0);
        Iterable<?> parts = value instanceof Map<?, ?> map && !(map instanceof LazyValues)
                ? Iterables.concat(map.keySet(), map.values())
                : value instanceof List<?> list ? list : List.of();
        for (var part : parts) {
            if (rest < 0) {
                break;
            }
            rest = size(part, rest);
        }
        return rest;
    }
}
