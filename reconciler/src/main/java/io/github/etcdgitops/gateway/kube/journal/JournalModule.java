package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.github.etcdgitops.gateway.kube.api.Moments;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How Jackson reads and writes the values of a journal and its records: those stored as they are, and
/// those with a [Wire] record. An `int` is an ordinal or a count, a `long` is not negative, a `boolean` is
/// 0 or 1, and a text is not empty.
final class JournalModule extends SimpleModule {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,16}");

    JournalModule() {
        numbers();
        texts();
        records();
    }

    private void numbers() {
        addDeserializer(Integer.TYPE, reading((p, _) -> JournalFields.ordinal(p)));
        addDeserializer(Integer.class, reading((p, _) -> JournalFields.ordinal(p)));
        addDeserializer(Long.TYPE, reading((p, _) -> JournalFields.number(p)));
        addDeserializer(Long.class, reading((p, _) -> JournalFields.number(p)));
        addDeserializer(Boolean.TYPE, reading((p, _) -> JournalFields.number(p) == 1));
        addSerializer(Boolean.TYPE, writing((value, json, _) -> json.writeNumber(value ? 1 : 0)));
        addKeyDeserializer(Integer.class, new JournalFields.OrdinalKey());
        setMixInAnnotation(RetainedRing.Data.class, Compacted.class);
        setMixInAnnotation(KvHash.class, Compacted.class);
        setMixInAnnotation(Inspection.Hash.class, Compacted.class);
    }

    private void texts() {
        addDeserializer(String.class, reading((p, _) -> JournalFields.text(p)));
        text(Instant.class, Instant::toString, Moments::parse, "is not a time");
        text(
                EtcdId.class,
                EtcdId::toString,
                hex -> Optional.of(hex).filter(ID.asMatchPredicate()).map(EtcdId::parse),
                "is not an id in hexadecimal digits");
        text(EtcdVersion.class, EtcdVersion::toString, EtcdVersion::parse, "is not an etcd version");
        text(
                FeatureGate.class,
                FeatureGate::title,
                title -> FeatureGate.named(title).filter(FeatureGate::isOfEtcd),
                "names a gate that this version does not know");
        named(Intent.Kind.class, JournalFields.UNKNOWN);
        named(Intent.Why.class, JournalFields.UNKNOWN);
        named(RetainedRing.Volumes.class, JournalFields.UNKNOWN);
        named(Tls.Issuer.class, JournalFields.UNKNOWN);
        named(Transport.Mode.class, "is not a known transport");
    }

    private void records() {
        addSerializer(new OptionalWriter());
        addDeserializer(Optional.class, new OptionalReader(null));
        setMixInAnnotation(Intent.Replacement.class, Formers.class);
        setMixInAnnotation(RestartAttempts.Missed.class, Missed.class);
        wire(Journal.class, JournalWire.class, JournalWire::of);
        wire(MemberSettings.class, JournalWire.Applied.class, JournalWire.Applied::of);
        wire(Journal.Certificates.class, JournalWire.Certificates.class, JournalWire.Certificates::of);
        wire(SnapshotContents.class, JournalWire.Contents.class, JournalWire.Contents::of);
        wire(RetainedRing.class, IntentWire.Deleted.class, IntentWire.Deleted::of);
        wire(Intent.class, IntentWire.class, IntentWire::of);
        wire(Intent.Former.class, IntentWire.Former.class, IntentWire.Former::of);
        wire(Intent.Recreation.class, IntentWire.Recreation.class, IntentWire.Recreation::of);
        wire(RestartAttempts.class, TriesWire.class, TriesWire::of);
        wire(Inspection.class, TriesWire.Inspected.class, TriesWire.Inspected::of);
    }

    /// etcd says -1 where nothing was ever compacted.
    interface Compacted {
        @JsonDeserialize(using = JournalFields.Whole.class)
        long compactRevision();
    }

    interface Missed {
        @JsonProperty("claim")
        String claimUid();
    }

    /// Only the map.
    abstract static class Formers {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Formers(SortedMap<Integer, Intent.Former> formers) {}

        @JsonValue
        abstract SortedMap<Integer, Intent.Former> formers();
    }

    /// Empty where the field is absent; an empty one is not written.
    private static final class OptionalReader extends JsonDeserializer<Optional<?>> implements ContextualDeserializer {
        private final @Nullable JavaType content;

        OptionalReader(@Nullable JavaType content) {
            this.content = content;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
            return new OptionalReader(property.getType().containedType(0));
        }

        @Override
        public Optional<?> deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return Optional.of(context.readValue(json, content));
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return Optional.empty();
        }
    }

    private static final class OptionalWriter extends StdSerializer<Optional<?>> {
        OptionalWriter() {
            super(Optional.class, false);
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, Optional<?> value) {
            return value.isEmpty();
        }

        @Override
        public void serialize(Optional<?> value, JsonGenerator json, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(value.orElseThrow(), json);
        }
    }

    private interface Reading<T> {
        T read(JsonParser json, DeserializationContext context) throws IOException;
    }

    private interface Writing<T> {
        void write(T value, JsonGenerator json, SerializerProvider provider) throws IOException;
    }

    private <T, W extends Wire<T>> void wire(Class<T> type, Class<W> wire, Function<T, W> form) {
        addSerializer(
                type, writing((value, json, provider) -> provider.defaultSerializeValue(form.apply(value), json)));
        addDeserializer(
                type, reading((json, context) -> context.readValue(json, wire).meaning()));
    }

    private <E extends Enum<E> & WireName> void named(Class<E> type, String otherwise) {
        text(type, WireName::wire, wire -> WireName.find(type.getEnumConstants(), wire), otherwise);
    }

    private <T> void text(
            Class<T> type, Function<T, String> form, Function<String, Optional<T>> parse, String otherwise) {
        addSerializer(type, writing((value, json, _) -> json.writeString(form.apply(value))));
        addDeserializer(
                type,
                reading((json, _) ->
                        parse.apply(JournalFields.text(json)).orElseThrow(() -> JournalFields.wrong(json, otherwise))));
    }

    private static <T> JsonDeserializer<T> reading(Reading<T> reading) {
        return new JsonDeserializer<>() {
            @Override
            public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
                return reading.read(json, context);
            }
        };
    }

    private static <T> JsonSerializer<T> writing(Writing<T> writing) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
                writing.write(value, json, provider);
            }
        };
    }
}
