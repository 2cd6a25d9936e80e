package io.github.etcdgitops.fake;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.repair.StartUnchecked;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A value of any record, with something in every part of it; and the values that differ from it in one part.
public final class Samples {
    private Samples() {}

    public static Object of(Type type) {
        return sample(type, 0);
    }

    /// Path of the part to a value that differs from `value` in that alone.
    public static Map<String, Object> variations(Record value) {
        var found = new LinkedHashMap<String, Object>();
        var parts = value.getClass().getRecordComponents();
        for (int i = 0; i < parts.length; i++) {
            int at = i;
            Object part = read(parts[i], value);
            others(part, parts[i].getGenericType())
                    .forEach((path, other) -> found.put(parts[at].getName() + path, with(value, at, other)));
        }
        return found;
    }

    private static Map<String, Object> others(Object part, Type type) {
        return switch (part) {
            case EtcdVersion _ -> Map.of("", sample(type, 1));
            case Record nested -> {
                var deeper = new LinkedHashMap<String, Object>();
                variations(nested).forEach((path, other) -> deeper.put("." + path, other));
                yield deeper;
            }
            case Optional<?> some -> {
                var deeper = new LinkedHashMap<String, Object>(Map.of("", Optional.empty()));
                others(some.get(), argument(type, 0))
                        .forEach((path, other) -> deeper.put(path + "?", Optional.of(other)));
                yield deeper;
            }
            case SortedMap<?, ?> map
            when map.firstEntry().getValue() instanceof Record nested -> {
                var deeper = new LinkedHashMap<String, Object>(Map.of("", new TreeMap<>()));
                variations(nested)
                        .forEach((path, other) ->
                                deeper.put(".*." + path, new TreeMap<>(Map.of(map.firstKey(), other))));
                yield deeper;
            }
            default -> Map.of("", sample(type, 1));
        };
    }

    private static Record with(Record value, int index, Object other) {
        var parts = value.getClass().getRecordComponents();
        var arguments = Arrays.stream(parts).map(part -> read(part, value)).toArray();
        arguments[index] = other;
        return construct(value.getClass(), arguments);
    }

    private static Object read(RecordComponent part, Record value) {
        try {
            part.getAccessor().setAccessible(true);
            return part.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Record construct(Class<?> type, Object... arguments) {
        try {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type + " of " + Arrays.toString(arguments), e);
        }
    }

    /// `variant` is 0 for a first value, 1 for another one.
    private static Object sample(Type type, int variant) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType p ? p.getRawType() : type);
        if (raw == Destination.class) {
            return sample(Destination.S3.class, variant);
        }
        if (raw == RestoreOrder.Source.class) {
            return sample(RestoreOrder.Stored.Certified.class, variant);
        }
        if (raw == BootstrapCluster.Stage.class) {
            return sample(BootstrapCluster.Stage.Anew.class, variant);
        }
        if (raw == StartUnchecked.Wrong.class) {
            return sample(StartUnchecked.Wrong.Of.class, variant);
        }
        if (raw == EtcdVersion.class) {
            return new EtcdVersion(3, 5, 16 + variant);
        }
        if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[Math.min(variant, constants.length - 1)];
        }
        if (raw == SignIn.class) {
            return new SignIn.Password(Optional.of(new SecretRef("secret", "key" + variant)), 1 + variant);
        }
        if (raw == AuthChange.class) {
            return new AuthChange.AddUser("user" + variant);
        }
        if (raw.isRecord()) {
            return construct(
                    raw,
                    Arrays.stream(raw.getRecordComponents())
                            .map(part -> sample(part.getGenericType(), variant))
                            .toArray());
        }
        return several(raw, type, variant);
    }

    private static Object several(Class<?> raw, Type type, int variant) {
        if (raw == Optional.class) {
            return Optional.of(sample(argument(type, 0), variant));
        }
        if (raw == List.class) {
            var list = new ArrayList<>();
            list.add(sample(argument(type, 0), variant));
            return list;
        }
        if (raw == Set.class || raw == SortedSet.class) {
            return new TreeSet<>(List.of((Comparable<?>) sample(argument(type, 0), variant)));
        }
        if (raw == Map.class || raw == SortedMap.class) {
            return new TreeMap<>(Map.of(sample(argument(type, 0), 0), sample(argument(type, 1), variant)));
        }
        return plain(raw, variant);
    }

    private static Object plain(Class<?> raw, int variant) {
        return switch (raw.getSimpleName()) {
            case "String", "Object" -> "text" + variant;
            case "int", "Integer" -> 3 + variant;
            case "long", "Long" -> 5L + variant;
            case "boolean", "Boolean" -> variant == 0;
            case "OptionalInt" -> OptionalInt.of(7 + variant);
            case "OptionalLong" -> OptionalLong.of(7 + variant);
            case "Duration" -> Duration.ofMinutes(9 + variant);
            case "Instant" -> Instant.ofEpochSecond(1_000_000_000 + variant);
            case "ZoneId" -> ZoneId.of(variant == 0 ? "UTC" : "Europe/Vienna");
            default -> throw new AssertionError("no sample of " + raw);
        };
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
