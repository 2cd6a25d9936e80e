package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.spec.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.Journal;
import java.util.Arrays;

/// Takes apart what a journal says is under way.
final class IntentReader {
    private IntentReader() {}

    static Journal.Intent intent(JournalFields reader) {
        var kind = kind(reader);
        var intent = new Journal.Intent(
                kind,
                reader.ordinal("ordinal"),
                reader.text("operationId"),
                reader.number("epoch"),
                reader.optionalObject("roll").map(IntentReader::roll),
                reader.optionalObject("recreation").map(IntentReader::recreation));
        boolean rolls = kind == Journal.Kind.ROLL || kind == Journal.Kind.UNROLL;
        if (rolls != intent.roll().isPresent()) {
            throw reader.wrong("roll", rolls ? "is missing" : "is there, and nothing is rolled");
        }
        boolean recreates = kind == Journal.Kind.RECREATE;
        if (recreates != intent.recreation().isPresent()) {
            throw reader.wrong("recreation", recreates ? "is missing" : "is there, and nothing is made anew");
        }
        reader.done();
        return intent;
    }

    private static Journal.Kind kind(JournalFields reader) {
        String name = reader.text("kind");
        return Arrays.stream(Journal.Kind.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> reader.wrong("kind", "is unknown"));
    }

    private static Journal.Roll roll(JournalFields reader) {
        var roll = new Journal.Roll(
                AppliedReader.applied(reader.object("target")),
                reader.text("formerTemplate"),
                reader.optionalText("stuck"));
        reader.done();
        return roll;
    }

    private static Journal.Recreation recreation(JournalFields reader) {
        var recreation = new Journal.Recreation(
                new Storage(reader.text("size"), reader.optionalText("storageClassName")),
                reader.ordinal("replicas"),
                reader.text("revision"),
                reader.text("template"));
        reader.done();
        return recreation;
    }
}
