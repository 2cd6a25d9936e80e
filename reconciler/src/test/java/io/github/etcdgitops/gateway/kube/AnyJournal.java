package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.IntentMatter;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Journals with anything in them that can be, made from the components of their records: a field that is added to
/// one of these is in them without a word here.
final class AnyJournal {
    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private final Random random;

    private AnyJournal(long seed) {
        this.random = new Random(seed);
    }

    static Journal of(long seed) {
        return (Journal) new AnyJournal(seed).any(Journal.class, "");
    }

    private Object any(Type type, String name) {
        return switch (type) {
            case ParameterizedType generic -> container(generic, name);
            case Class<?> c when c == Intent.class -> intent();
            case Class<?> c
            when c == EtcdVersion.class ->
                new EtcdVersion(random.nextInt(10_000), random.nextInt(10_000), random.nextInt(10_000));
            case Class<?> c when c == EtcdId.class -> new EtcdId(random.nextLong());
            case Class<?> c
            when c == FeatureGate.class ->
                one(Arrays.stream(FeatureGate.values())
                        .filter(FeatureGate::isOfEtcd)
                        .toArray());
            case Class<?> c when c.isRecord() -> made(c);
            case Class<?> c when c.isSealed() -> any(one(c.getPermittedSubclasses()), name);
            case Class<?> c when c.isEnum() -> one(c.getEnumConstants());
            case Class<?> c -> scalar(c, name);
            default -> throw new AssertionError(type);
        };
    }

    private Object scalar(Class<?> type, String name) {
        return switch (type.getSimpleName()) {
            case "int", "Integer" -> random.nextInt(10_000);
            case "long", "Long" ->
                switch (name) {
                    case "epoch" -> random.nextLong(Integer.MAX_VALUE);
                    case "compactRevision" -> random.nextLong(-1, Long.MAX_VALUE);
                    default -> random.nextLong(Long.MAX_VALUE);
                };
            case "boolean" -> random.nextBoolean();
            case "String" -> name.equals("run") ? "run-" + random.nextInt(9) : "tëxt \"" + random.nextInt() + "\"\n";
            case "Instant" -> Instant.ofEpochSecond(random.nextLong(LAST), random.nextInt(1_000_000_000));
            case "OptionalLong" -> random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong(99));
            case "Object" -> one("", "text", true, 1.5, random.nextInt(), random.nextLong(), Map.of("a", List.of("b")));
            default -> throw new AssertionError(type);
        };
    }

    private Object container(ParameterizedType type, String name) {
        var items = type.getActualTypeArguments();
        Supplier<Stream<Object>> some =
                () -> Stream.generate(() -> any(items[items.length - 1], name)).limit(random.nextInt(4));
        return switch (((Class<?>) type.getRawType()).getSimpleName()) {
            case "Optional" -> some.get().findFirst();
            case "List" -> some.get().toList();
            case "SortedSet" -> new TreeSet<>(some.get().toList());
            case "SortedMap" -> {
                var map = new TreeMap<Object, Object>();
                some.get().forEach(value -> map.put(any(items[0], ""), value));
                yield map;
            }
            default -> throw new AssertionError(type);
        };
    }

    private Intent intent() {
        var kind = one(Intent.Kind.values());
        var matter = switch (kind) {
            case FOUND, RESTORE, ADOPT, JOIN, LEAVE -> Optional.<IntentMatter>empty();
            case ROLL, UNROLL -> Optional.of((IntentMatter) made(Intent.Roll.class));
            case RECREATE -> Optional.of((IntentMatter) made(Intent.Recreation.class));
            case REPLACE -> Optional.of((IntentMatter) made(Intent.Replacement.class));
            case DELETE, RETURN -> Optional.of((IntentMatter) made(RetainedRing.class));
            case RECOVER -> Optional.of((IntentMatter) made(SnapshotOrigin.class));
        };
        var intent = new Intent(
                kind, random.nextInt(10_000), "op", random.nextLong(Integer.MAX_VALUE), matter, Optional.empty());
        return (kind == Intent.Kind.REPLACE || kind == Intent.Kind.RECOVER)
                ? intent.pausing(Optional.of(intent()).filter(p -> p.kind() != Intent.Kind.RECOVER))
                : intent;
    }

    private Object made(Class<?> type) {
        var components = type.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var values = Arrays.stream(components)
                .map(c -> any(c.getGenericType(), c.getName()))
                .toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no constructor of all components", e);
        }
    }

    @SafeVarargs
    private final <T> T one(T... values) {
        return values[random.nextInt(values.length)];
    }
}
