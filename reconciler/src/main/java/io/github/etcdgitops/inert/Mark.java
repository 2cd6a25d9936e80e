package io.github.etcdgitops.inert;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Emphasis of ours within a text. In memory it is a character that this process chose at random among those that
/// Unicode gives no meaning, so that nobody else's text can have it; a terminal gets the sequence for it.
public enum Mark {
    STRONG(0, "1"),
    GOOD(1, "32"),
    BAD(2, "31"),
    DOUBT(3, "33"),
    FAINT(4, "2"),
    END(5, "0");

    private static final Map<Integer, Mark> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toMap(mark -> mark.code, Function.identity()));

    private final int code;
    private final String number;

    Mark(int place, String number) {
        this.number = number;
        this.code = Chosen.AT + place;
    }

    /// Of the planes for private use, the last one.
    private static final class Chosen {
        private static final int AT = 0x100000 + new Random().nextInt(0xff00);
    }

    /// The text with this emphasis.
    public String around(String text) {
        return Character.toString(code) + text + Character.toString(END.code);
    }

    static boolean is(int c) {
        return BY_CODE.containsKey(c);
    }

    /// Select Graphic Rendition.
    static String sequence(int c) {
        var mark = BY_CODE.get(c);
        return mark == null ? "" : "\u001b[" + mark.number + "m";
    }
}
