package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The valid values of journal fields. An invalid one throws a JsonMappingException that says so, with the
/// path of the field.
final class JournalFields {
    static final String UNKNOWN = "is unknown";

    private static final Pattern ORDINAL = Pattern.compile("0|[1-9]\\d{0,3}");
    private static final int MAX_ORDINAL = 9999;
    private static final long MAX_EPOCH = Integer.MAX_VALUE;

    private JournalFields() {}

    static final class Whole extends JsonDeserializer<Long> {
        @Override
        public Long deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return whole(json);
        }
    }

    static final class OrdinalKey extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) throws JsonMappingException {
            if (!ORDINAL.matcher(key).matches()) {
                throw wrong(key, "is not an ordinal");
            }
            return Integer.valueOf(key);
        }
    }

    static String text(JsonParser json) throws IOException {
        var context = json.getParsingContext();
        boolean item = (json.currentToken().isStructStart() ? context.getParent() : context).inArray();
        if (!json.hasToken(JsonToken.VALUE_STRING) || (json.getText().isEmpty() && !item)) {
            throw wrong(json, item ? "is not a list of texts" : "is not a text");
        }
        return json.getText();
    }

    static long whole(JsonParser json) throws IOException {
        if (!json.hasToken(JsonToken.VALUE_NUMBER_INT) || json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw wrong(json, "is not a whole number");
        }
        return json.getLongValue();
    }

    static long number(JsonParser json) throws IOException {
        long number = whole(json);
        if (number < 0) {
            throw wrong(json, "is negative");
        }
        return number;
    }

    static int ordinal(JsonParser json) throws IOException {
        long number = number(json);
        if (number > MAX_ORDINAL) {
            throw wrong(json, "is not an ordinal");
        }
        return (int) number;
    }

    static JsonMappingException wrong(JsonParser json, String what) {
        return JsonMappingException.from(json, what);
    }

    /// A number of takeovers. The Lease stores it in 32 bits, and the next takeover adds one.
    static long epoch(long number) throws JsonMappingException {
        if (number >= MAX_EPOCH) {
            throw wrong("epoch", "is " + number + ", and must be less than " + MAX_EPOCH);
        }
        return number;
    }

    /// Fields that belong to another kind must be absent.
    static void requireNone(Map<String, ? extends Optional<?>> fields) throws JsonMappingException {
        for (var field : new TreeMap<>(fields).entrySet()) {
            if (field.getValue().isPresent()) {
                throw wrong(field.getKey(), UNKNOWN);
            }
        }
    }

    /// For a field of the object that is being read.
    static JsonMappingException wrong(String field, String what) {
        var wrong = JsonMappingException.from((JsonParser) null, what);
        wrong.prependPath(null, field);
        return wrong;
    }
}
