package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.IntentMatter;
import io.github.etcdgitops.state.journal.Remains;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Takes apart what a journal says is under way.
final class IntentReader {
    private IntentReader() {}

    static Intent intent(JournalFields reader) {
        var kind = kind(reader);
        var intent = new Intent(
                kind,
                reader.ordinal("ordinal"),
                reader.text("operationId"),
                reader.epoch("epoch"),
                matter(kind, reader),
                reader.optionalObject("paused").map(IntentReader::intent));
        // What belongs to another kind is left over.
        reader.done();
        return intent;
    }

    private static Optional<IntentMatter> matter(Intent.Kind kind, JournalFields reader) {
        return switch (kind) {
            case FOUND, RESTORE, ADOPT, JOIN, LEAVE -> Optional.empty();
            case ROLL, UNROLL -> Optional.of(roll(reader.object("roll")));
            case RECREATE -> Optional.of(recreation(reader.object("recreation")));
            case REPLACE -> Optional.of(replacement(reader.object("replacement")));
            case DELETE, RETURN -> Optional.of(remains(reader.object("remains")));
            case RECOVER -> Optional.of(OriginReader.origin(reader.object("origin")));
        };
    }

    private static Intent.Kind kind(JournalFields reader) {
        String name = reader.text("kind");
        return WireName.find(Intent.Kind.values(), name).orElseThrow(() -> reader.wrong("kind", "is unknown"));
    }

    private static Intent.Roll roll(JournalFields reader) {
        var roll = new Intent.Roll(
                AppliedReader.applied(reader.object("target")),
                reader.text("formerTemplate"),
                reader.optionalText("stuck"));
        reader.done();
        return roll;
    }

    static Remains remains(JournalFields reader) {
        var remains = new Remains(
                reader.text("reason"),
                reader.time("since"),
                reader.optionalObject("data").map(IntentReader::data),
                volumes(reader),
                reader.optionalObject("saved").map(IntentReader::saved),
                reader.optionalObject("going").map(IntentReader::going).orElseGet(TreeMap::new));
        reader.done();
        return remains;
    }

    private static SortedMap<Integer, String> going(JournalFields reader) {
        var claims = new TreeMap<Integer, String>();
        for (String name : reader.names()) {
            claims.put(reader.asOrdinal(name), reader.text(name));
        }
        return claims;
    }

    /// Without a word of it they are kept.
    private static Remains.Volumes volumes(JournalFields reader) {
        return reader.optionalText("volumes")
                .map(name -> WireName.find(Remains.Volumes.values(), name)
                        .orElseThrow(() -> reader.wrong("volumes", "is unknown")))
                .orElse(Remains.Volumes.KEPT);
    }

    private static Remains.Saved saved(JournalFields reader) {
        var saved = new Remains.Saved(reader.text("backup"), reader.number("revision"));
        reader.done();
        return saved;
    }

    private static Remains.Data data(JournalFields reader) {
        var data = new Remains.Data(reader.number("revision"), reader.whole("compactRevision"), reader.number("hash"));
        reader.done();
        return data;
    }

    private static Intent.Replacement replacement(JournalFields reader) {
        var formers = new TreeMap<Integer, Intent.Former>();
        for (String name : reader.names()) {
            formers.put(reader.asOrdinal(name), former(reader.object(name)));
        }
        return new Intent.Replacement(formers);
    }

    private static Intent.Former former(JournalFields reader) {
        var former = new Intent.Former(
                reader.id("member").orElseThrow(() -> reader.wrong("member", "is missing")),
                reader.text("claimUid"),
                why(reader));
        reader.done();
        return former;
    }

    /// Without a word of it, a volume was lost or asked for.
    private static Intent.Why why(JournalFields reader) {
        boolean lost = reader.number("lost") == 1;
        return reader.optionalText("why")
                .map(name ->
                        WireName.find(Intent.Why.values(), name).orElseThrow(() -> reader.wrong("why", "is unknown")))
                .orElse(lost ? Intent.Why.LOST : Intent.Why.VOLUME_ASKED);
    }

    private static Intent.Recreation recreation(JournalFields reader) {
        var recreation = new Intent.Recreation(
                new Storage(reader.text("size"), reader.optionalText("storageClassName")),
                reader.ordinal("replicas"),
                reader.text("revision"),
                reader.text("template"));
        reader.done();
        return recreation;
    }
}
