package io.github.etcdgitops.document.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.Set;
import java.util.regex.Pattern;

/// The meaning of an unquoted scalar: YAML 1.2's core schema, except scalars that YAML 1.1, which most
/// Kubernetes tools read, interprets differently. Those are refused, because the same file would have two
/// meanings.
public sealed interface PlainScalar {
    record Value(JsonNode json) implements PlainScalar {}

    /// `why` completes the sentence "… means different things to different tools: ". `otherwise` says what
    /// to write where no text is meant.
    record Refused(String code, String why, String otherwise) implements PlainScalar {}

    String PLAIN_DIGITS = "If a number is meant, write it with plain digits.";
    String AMBIGUOUS = "ambiguous-scalar";
    String UNQUOTED_VERSION = "unquoted-version";

    /// The start of the advice for a text that needs quotes.
    String QUOTE = "Quote it";
    int LONGEST_NUMBER = 18;
    int LONGEST_LOOKED_AT = 64;

    Set<String> BOOLEANS_OF_1_1 =
            Set.of("y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF");
    Set<String> TRUE = Set.of("true", "True", "TRUE");
    Set<String> FALSE = Set.of("false", "False", "FALSE");
    Set<String> NULLS_IN_DISGUISE = Set.of("~", "Null", "NULL");

    /// What a number can start with, also one that is not finite.
    String FIRST_OF_NUMBERS = "-+.0123456789";

    Pattern NUMBER_LIKE = Pattern.compile("[-+]?[.]?[0-9]");
    Pattern ONLY_DIGITS = Pattern.compile("[-+0-9_.:]+");
    Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
    Pattern DECIMAL = Pattern.compile("[-+]?([0-9]+[.][0-9]*|[.][0-9]+)");
    Pattern LOSES_A_ZERO = Pattern.compile("[-+]?[0-9]*[.][0-9]*0|[-+]?[0-9]+[.]");
    Pattern LEADING_ZERO = Pattern.compile("[-+]?0[0-9][0-9_.]*");
    Pattern OTHER_BASE = Pattern.compile("[-+]?0(x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)");
    Pattern WITH_UNDERSCORES = Pattern.compile("[-+]?[0-9][0-9_]*([.][0-9_]*)?");
    Pattern EXPONENT = Pattern.compile("[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)[eE][-+]?[0-9]+");
    Pattern SEXAGESIMAL = Pattern.compile("[-+]?[0-9]+(:[0-5]?[0-9]){1,8}([.][0-9_]*)?");
    Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \\t].*)?");
    Pattern NOT_FINITE = Pattern.compile("[-+]?[.](inf|Inf|INF)|[.](nan|NaN|NAN)");

    Repeated<PlainScalar> KNOWN = new Repeated<>(PlainScalar::read);

    static PlainScalar of(String text) {
        return KNOWN.of(text);
    }

    private static PlainScalar read(String text) {
        if (text.isEmpty() || text.equals("null")) {
            return new Value(NullNode.getInstance());
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return new Value(BooleanNode.valueOf(TRUE.contains(text)));
        }
        if (BOOLEANS_OF_1_1.contains(text)) {
            return ambiguous(
                    "YAML 1.1 reads it as a boolean, YAML 1.2 as a text",
                    "If a boolean is meant, write true or false.");
        }
        if (NULLS_IN_DISGUISE.contains(text)) {
            return ambiguous("some tools read it as null, others as a text", "If null is meant, leave the field out.");
        }
        if (FIRST_OF_NUMBERS.indexOf(text.charAt(0)) < 0 && !text.equals("=")) {
            return new Value(TextNode.valueOf(text));
        }
        if (NOT_FINITE.matcher(text).matches()) {
            return ambiguous("some tools read it as a number that JSON does not have, others as a text", PLAIN_DIGITS);
        }
        if (text.equals("=")) {
            return ambiguous("YAML 1.1 gives it a special meaning", "");
        }
        if (!NUMBER_LIKE.matcher(text).lookingAt()) {
            return new Value(TextNode.valueOf(text));
        }
        if (text.length() <= LONGEST_LOOKED_AT) {
            return numberLike(text);
        }
        return ONLY_DIGITS.matcher(text).matches()
                ? ambiguous("it has too many digits for a number, and some tools round it", "")
                : new Value(TextNode.valueOf(text));
    }

    private static PlainScalar numberLike(String text) {
        if (OTHER_BASE.matcher(text).matches()) {
            return ambiguous("some tools read it as a number in another base, others as a text", PLAIN_DIGITS);
        }
        if (LEADING_ZERO.matcher(text).matches() && !text.matches("[-+]?0[.][0-9]*")) {
            return ambiguous("YAML 1.1 reads a leading zero as an octal number, YAML 1.2 does not", PLAIN_DIGITS);
        }
        if (text.indexOf('_') >= 0 && WITH_UNDERSCORES.matcher(text).matches()) {
            return ambiguous("YAML 1.1 reads it as a number, YAML 1.2 as a text", PLAIN_DIGITS);
        }
        if (EXPONENT.matcher(text).matches()) {
            return ambiguous("some tools read it as a number with an exponent, others as a text", PLAIN_DIGITS);
        }
        if (SEXAGESIMAL.matcher(text).matches()) {
            return ambiguous("YAML 1.1 reads it as a number in base 60, YAML 1.2 as a text", "");
        }
        if (DATE.matcher(text).matches()) {
            return ambiguous("YAML 1.1 reads it as a date, YAML 1.2 as a text", "");
        }
        if (LOSES_A_ZERO.matcher(text).matches()) {
            return new Refused(
                    UNQUOTED_VERSION,
                    "as a number it loses its last zero: 3.10 becomes 3.1",
                    "If a number is meant, do not end it with a zero or a dot.");
        }
        boolean whole = WHOLE.matcher(text).matches();
        if (!whole && !DECIMAL.matcher(text).matches()) {
            return new Value(TextNode.valueOf(text));
        }
        if (text.chars().filter(Character::isDigit).count() > LONGEST_NUMBER) {
            return ambiguous("it has too many digits for a number, and some tools round it", "");
        }
        return new Value(whole ? integer(Long.parseLong(text)) : DecimalNode.valueOf(new BigDecimal(text)));
    }

    static JsonNode integer(long number) {
        return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
    }

    private static Refused ambiguous(String why, String otherwise) {
        return new Refused(AMBIGUOUS, why, otherwise);
    }
}
