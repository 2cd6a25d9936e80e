package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Tries;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// What was tried for members, as a part of the journal.
final class TriesFile {
    private TriesFile() {}

    static Map<String, Object> tree(Tries tries) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tries.replaced().ifPresent(when -> tree.put("replaced", when.toString()));
        Map<String, Object> members = new LinkedHashMap<>();
        tries.members()
                .forEach((ordinal, tried) -> members.put(
                        ordinal.toString(),
                        Map.of(
                                "member", tried.member().toString(),
                                "count", tried.count(),
                                "last", tried.last().toString(),
                                "pod", tried.pod())));
        tree.put("members", members);
        if (!tries.inspected().isEmpty()) {
            Map<String, Object> inspected = new LinkedHashMap<>();
            tries.inspected().forEach((ordinal, found) -> inspected.put(ordinal.toString(), tree(found)));
            tree.put("inspected", inspected);
        }
        if (!tries.missed().isEmpty()) {
            tree.put("missed", missed(tries));
        }
        if (!tries.joins().isEmpty()) {
            tree.put("joins", joins(tries));
        }
        return tree;
    }

    private static Map<String, Object> missed(Tries tries) {
        Map<String, Object> missed = new LinkedHashMap<>();
        tries.missed()
                .forEach((ordinal, m) -> missed.put(
                        ordinal.toString(),
                        Map.of(
                                "claim", m.claimUid(),
                                "machine", m.machine(),
                                "since", m.since().toString())));
        return missed;
    }

    private static Map<String, Object> joins(Tries tries) {
        Map<String, Object> joins = new LinkedHashMap<>();
        tries.joins().forEach((ordinal, joined) -> {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("failed", joined.failed());
            tree.put("last", joined.last().toString());
            tree.put("fresh", joined.fresh() ? 1 : 0);
            joined.claim().ifPresent(uid -> tree.put("claim", uid));
            joins.put(ordinal.toString(), tree);
        });
        return joins;
    }

    private static Map<String, Object> tree(Inspection inspection) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("claimUid", inspection.claimUid());
        tree.put("at", inspection.at().toString());
        tree.put("seen", inspection.seen());
        switch (inspection.outcome()) {
            case Inspection.Outcome.Unreadable(String why) -> tree.put("unreadable", why);
            case Inspection.Outcome.Told(long revision, var hash, boolean witness) -> {
                tree.put("revision", revision);
                hash.ifPresent(
                        h -> tree.put("hash", Map.of("compactRevision", h.compactRevision(), "value", h.value())));
                if (witness) {
                    tree.put("witness", 1);
                }
            }
        }
        if (!inspection.odd().isEmpty()) {
            tree.put("odd", inspection.odd().stream().map(EtcdId::toString).toList());
        }
        return tree;
    }

    static Tries tries(JournalFields reader) {
        var replaced =
                reader.names().contains("replaced") ? Optional.of(reader.time("replaced")) : Optional.<Instant>empty();
        var members = new TreeMap<Integer, Tries.Tried>();
        var listed = reader.object("members");
        for (String name : listed.names()) {
            members.put(listed.asOrdinal(name), tried(listed.object(name)));
        }
        var inspected = new TreeMap<Integer, Inspection>();
        reader.optionalObject("inspected").ifPresent(found -> {
            for (String name : found.names()) {
                inspected.put(found.asOrdinal(name), inspection(found.object(name)));
            }
        });
        var missed = new TreeMap<Integer, Tries.Missed>();
        reader.optionalObject("missed").ifPresent(machines -> {
            for (String name : machines.names()) {
                missed.put(machines.asOrdinal(name), missed(machines.object(name)));
            }
        });
        var joins = new TreeMap<Integer, Tries.Joined>();
        reader.optionalObject("joins").ifPresent(found -> {
            for (String name : found.names()) {
                joins.put(found.asOrdinal(name), joined(found.object(name)));
            }
        });
        reader.done();
        return new Tries(members, replaced, inspected, missed, joins);
    }

    private static Inspection inspection(JournalFields reader) {
        var unreadable = reader.optionalText("unreadable");
        var inspection = new Inspection(
                reader.text("claimUid"),
                reader.time("at"),
                reader.text("seen"),
                unreadable
                        .<Inspection.Outcome>map(Inspection.Outcome.Unreadable::new)
                        .orElseGet(() -> told(reader)),
                new TreeSet<>(reader.optionalIds("odd")));
        reader.done();
        return inspection;
    }

    private static Inspection.Outcome told(JournalFields reader) {
        long revision = reader.number("revision");
        var hash = reader.optionalObject("hash").map(fields -> {
            var read = new Inspection.Hash(fields.whole("compactRevision"), fields.number("value"));
            fields.done();
            return read;
        });
        boolean witness = reader.optionalNumber("witness").isPresent();
        return new Inspection.Outcome.Told(revision, hash, witness);
    }

    private static Tries.Joined joined(JournalFields reader) {
        var joined = new Tries.Joined(
                reader.ordinal("failed"),
                reader.time("last"),
                reader.number("fresh") == 1,
                reader.optionalText("claim"));
        reader.done();
        return joined;
    }

    private static Tries.Missed missed(JournalFields reader) {
        var missed = new Tries.Missed(reader.text("claim"), reader.text("machine"), reader.time("since"));
        reader.done();
        return missed;
    }

    private static Tries.Tried tried(JournalFields reader) {
        var tried = new Tries.Tried(
                reader.id("member").orElseThrow(() -> reader.wrong("member", "is missing")),
                reader.ordinal("count"),
                reader.time("last"),
                reader.text("pod"));
        reader.done();
        return tried;
    }
}
