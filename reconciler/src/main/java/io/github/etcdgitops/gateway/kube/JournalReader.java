package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.spec.Validity;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.Manifest;
import io.github.etcdgitops.state.SnapshotContents;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Takes a journal's tree apart, naming the field that is wrong.
final class JournalReader {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{1,16}");
    private static final Pattern ORDINAL = Pattern.compile("0|[1-9]\\d{0,3}");

    private static final int MAX_ORDINAL = 9999;

    private final String path;
    private final TreeMap<String, Object> left;

    private JournalReader(String path, Map<String, Object> tree) {
        this.path = path;
        this.left = new TreeMap<>(tree);
    }

    static Journal journal(Map<String, Object> tree) {
        var reader = new JournalReader("", tree);
        long format = reader.number("formatVersion");
        if (format != JournalFile.FORMAT) {
            throw new IllegalArgumentException("the journal has format " + format + ", this version knows "
                    + JournalFile.FORMAT + ": it was written by another version of etcd-gitops");
        }
        var journal = new Journal(
                reader.number("epoch"),
                reader.text("token"),
                reader.id("clusterId"),
                applied(reader.object("applied")),
                members(reader.object("members")),
                reader.optionalObject("intent").map(JournalReader::intent),
                new Journal.Past(
                        reader.optionalObject("origin").map(JournalReader::origin),
                        reader.optionalObject("backedOut").map(JournalReader::backedOut),
                        reader.optionalObject("certificates").map(JournalReader::certificates),
                        reader.optionalObject("adopted").map(JournalReader::adopted)));
        reader.done();
        return journal;
    }

    private static Journal.Applied applied(JournalReader reader) {
        String version = reader.text("version");
        var applied = new Journal.Applied(
                EtcdVersion.parse(version).orElseThrow(() -> reader.wrong("version", "is no etcd version")),
                reader.object("options").left,
                reader.optionalText("image"),
                reader.optionalObject("transport").map(JournalReader::transport).orElse(Transport.PLAIN));
        reader.done();
        return applied;
    }

    private static Transport transport(JournalReader reader) {
        var transport = new Transport(reader.mode("peer"), reader.mode("client"));
        reader.done();
        return transport;
    }

    private Transport.Mode mode(String field) {
        String name = text(field);
        return Arrays.stream(Transport.Mode.values())
                .filter(mode -> Transport.name(mode).equals(name))
                .findFirst()
                .orElseThrow(() -> wrong(field, "is no way to talk to a ring"));
    }

    private static Journal.Certificates certificates(JournalReader reader) {
        var certificates = new Journal.Certificates(
                reader.text("authority"), new Validity(reader.time("begin"), reader.time("end")));
        reader.done();
        return certificates;
    }

    private Instant time(String field) {
        try {
            return Instant.parse(text(field));
        } catch (DateTimeParseException _) {
            throw wrong(field, "is no time");
        }
    }

    private static SortedMap<Integer, Journal.Member> members(JournalReader reader) {
        var members = new TreeMap<Integer, Journal.Member>();
        for (String ordinal : new TreeSet<>(reader.left.keySet())) {
            if (!ORDINAL.matcher(ordinal).matches()) {
                throw reader.wrong(ordinal, "is no ordinal");
            }
            var member = reader.object(ordinal);
            members.put(
                    Integer.valueOf(ordinal),
                    new Journal.Member(member.text("incarnation"), member.id("id"), member.optionalText("claimUid")));
            member.done();
        }
        return members;
    }

    private static Journal.Intent intent(JournalReader reader) {
        String name = reader.text("kind");
        Journal.Kind kind = Arrays.stream(Journal.Kind.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> reader.wrong("kind", "is unknown"));
        var intent = new Journal.Intent(
                kind,
                reader.ordinal("ordinal"),
                reader.text("operationId"),
                reader.number("epoch"),
                reader.optionalObject("roll").map(JournalReader::roll));
        boolean rolls = kind == Journal.Kind.ROLL || kind == Journal.Kind.UNROLL;
        if (rolls != intent.roll().isPresent()) {
            throw reader.wrong("roll", rolls ? "is missing" : "is there, and nothing is rolled");
        }
        reader.done();
        return intent;
    }

    private static Journal.Roll roll(JournalReader reader) {
        var roll = new Journal.Roll(
                applied(reader.object("target")), reader.text("formerTemplate"), reader.optionalText("stuck"));
        reader.done();
        return roll;
    }

    private static Journal.BackedOut backedOut(JournalReader reader) {
        var backedOut = new Journal.BackedOut(reader.text("operationId"), reader.text("reason"));
        reader.done();
        return backedOut;
    }

    private static Journal.Adopted adopted(JournalReader reader) {
        var adopted =
                new Journal.Adopted(reader.text("claims"), reader.text("statefulSet"), reader.number("settled") == 1);
        reader.done();
        return adopted;
    }

    private static Journal.Origin origin(JournalReader reader) {
        var origin = new Journal.Origin(
                reader.text("request"),
                reader.text("from"),
                reader.optionalText("backup"),
                reader.number("size"),
                reader.text("sha256"),
                reader.optionalNumber("bumpRevision"),
                reader.optionalObject("contents").map(JournalReader::contents));
        reader.done();
        return origin;
    }

    private static SnapshotContents contents(JournalReader reader) {
        String version = reader.text("version");
        var contents = new SnapshotContents(
                EtcdVersion.parse(version).orElseThrow(() -> reader.wrong("version", "is no etcd version")),
                reader.number("revision"),
                reader.optionalNumber("keys").map(OptionalLong::of).orElse(OptionalLong.empty()),
                reader.objects("hashes").stream().map(JournalReader::hash).toList());
        reader.done();
        return contents;
    }

    private static Manifest.KvHash hash(JournalReader reader) {
        var hash = new Manifest.KvHash(
                reader.number("revision"),
                reader.whole("compactRevision"),
                reader.number("hash"),
                reader.texts("members"));
        reader.done();
        return hash;
    }

    private IllegalArgumentException wrong(String field, String what) {
        return new IllegalArgumentException("the journal's field " + path + field + " " + what);
    }

    private void done() {
        if (!left.isEmpty()) {
            throw wrong(left.firstKey(), "is unknown");
        }
    }

    private Optional<Object> take(String field) {
        return Optional.ofNullable(left.remove(field));
    }

    private long number(String field) {
        return optionalNumber(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    private Optional<Long> optionalNumber(String field) {
        return optionalWhole(field).map(number -> {
            if (number < 0) {
                throw wrong(field, "is negative");
            }
            return number;
        });
    }

    /// May be negative: etcd says -1 where nothing was ever compacted.
    private long whole(String field) {
        return optionalWhole(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    private Optional<Long> optionalWhole(String field) {
        return take(field).map(value -> switch (value) {
            case Integer i -> i.longValue();
            case Long l -> l;
            default -> throw wrong(field, "is not a whole number");
        });
    }

    private int ordinal(String field) {
        long number = number(field);
        if (number > MAX_ORDINAL) {
            throw wrong(field, "is no ordinal");
        }
        return (int) number;
    }

    private String text(String field) {
        return optionalText(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    private Optional<String> optionalText(String field) {
        return take(field).map(value -> switch (value) {
            case String s when !s.isEmpty() -> s;
            default -> throw wrong(field, "is not a text");
        });
    }

    private Optional<EtcdId> id(String field) {
        return optionalText(field).map(hex -> {
            if (!ID.matcher(hex).matches()) {
                throw wrong(field, "is no id in hexadecimal digits");
            }
            return EtcdId.parse(hex);
        });
    }

    private JournalReader object(String field) {
        return optionalObject(field).orElseThrow(() -> wrong(field, "is missing"));
    }

    private Optional<JournalReader> optionalObject(String field) {
        return take(field).map(value -> object(field, value));
    }

    private JournalReader object(String field, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(field, "is not an object");
        }
        var tree = new TreeMap<String, Object>();
        map.forEach((key, item) -> {
            if (item == null) {
                throw wrong(field + "." + key, "is null");
            }
            tree.put(String.valueOf(key), item);
        });
        return new JournalReader(path + field + ".", tree);
    }

    private List<JournalReader> objects(String field) {
        return list(field).stream().map(item -> object(field, item)).toList();
    }

    private List<String> texts(String field) {
        return list(field).stream()
                .map(item -> switch (item) {
                    case String text -> text;
                    default -> throw wrong(field, "is not a list of texts");
                })
                .toList();
    }

    private List<?> list(String field) {
        return switch (take(field).orElseThrow(() -> wrong(field, "is missing"))) {
            case List<?> list -> list;
            default -> throw wrong(field, "is not a list");
        };
    }
}
