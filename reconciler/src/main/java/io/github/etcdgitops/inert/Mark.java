package io.github.etcdgitops.inert;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Our own emphasis within a text. In memory it is a character that this process has chosen at random among
/// those without a meaning in Unicode, so that foreign text cannot contain it; a terminal gets the sequence
/// for it.
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

    /// From the last private-use plane.
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
