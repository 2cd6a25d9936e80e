package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.journal.Doings;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.Tries;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Takes a journal's tree apart, naming the field that is wrong.
final class JournalReader {
    static final int FORMAT = 1;

    private static final Pattern RUN = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private JournalReader() {}

    static Journal journal(Map<String, Object> tree) {
        var reader = new JournalFields("", tree);
        long format = reader.number("formatVersion");
        if (format != FORMAT) {
            throw new IllegalArgumentException("the journal has format " + format + ", this version knows " + FORMAT
                    + ": it was written by another version of etcd-gitops");
        }
        var journal = new Journal(
                reader.epoch("epoch"),
                reader.text("token"),
                reader.id("clusterId"),
                AppliedReader.applied(reader.object("applied")),
                members(reader.object("members")),
                reader.optionalObject("intent").map(IntentReader::intent),
                new Journal.Past(
                        reader.optionalObject("origin").map(OriginReader::origin),
                        reader.optionalObject("backedOut").map(JournalReader::backedOut),
                        reader.optionalObject("certificates").map(JournalReader::certificates),
                        reader.optionalObject("adopted").map(JournalReader::adopted),
                        reader.optionalObject("remains").map(IntentReader::remains),
                        new Doings(
                                reader.names().contains("returns") ? reader.ordinal("returns") : 0,
                                reader.optionalObject("tries")
                                        .map(TriesFile::tries)
                                        .orElse(Tries.NONE),
                                reader.optionalObject("changed").map(JournalReader::changed),
                                reader.optionalObject("begun").flatMap(JournalReader::begun))));
        reader.done();
        return journal;
    }

    private static Validity validity(JournalFields reader) {
        var validity = new Validity(reader.time("begin"), reader.time("end"));
        reader.done();
        return validity;
    }

    private static Journal.Certificates certificates(JournalFields reader) {
        var certificates = new Journal.Certificates(
                reader.text("authority"),
                new Validity(reader.time("begin"), reader.time("end")),
                reader.optionalObject("newest").map(JournalReader::validity),
                reader.optionalText("issuer").map(name -> issuer(reader, name)));
        reader.done();
        return certificates;
    }

    private static Tls.Issuer issuer(JournalFields reader, String name) {
        return WireName.find(Tls.Issuer.values(), name).orElseThrow(() -> reader.wrong("issuer", "is unknown"));
    }

    private static SortedMap<Integer, Journal.Member> members(JournalFields reader) {
        var members = new TreeMap<Integer, Journal.Member>();
        for (String ordinal : reader.names()) {
            int number = reader.asOrdinal(ordinal);
            var member = reader.object(ordinal);
            members.put(
                    number,
                    new Journal.Member(member.text("incarnation"), member.id("id"), member.optionalText("claimUid")));
            member.done();
        }
        return members;
    }

    private static Journal.BackedOut backedOut(JournalFields reader) {
        var backedOut = new Journal.BackedOut(reader.text("operationId"), reader.text("reason"));
        reader.done();
        return backedOut;
    }

    /// Of no run where it is no id: nothing hangs on it.
    private static Optional<Doings.Begun> begun(JournalFields reader) {
        var begun = new Doings.Begun(
                reader.text("run"), reader.text("operation"), reader.text("operationId"), reader.ordinal("step"));
        reader.done();
        return Optional.of(begun).filter(by -> RUN.matcher(by.run()).matches());
    }

    private static Doings.Changed changed(JournalFields reader) {
        var changed = new Doings.Changed(
                reader.text("operation"), reader.text("operationId"), reader.time("at"), reader.number("ended") == 1);
        reader.done();
        return changed;
    }

    private static Journal.Adopted adopted(JournalFields reader) {
        var adopted =
                new Journal.Adopted(reader.text("claims"), reader.text("statefulSet"), reader.number("settled") == 1);
        reader.done();
        return adopted;
    }
}
