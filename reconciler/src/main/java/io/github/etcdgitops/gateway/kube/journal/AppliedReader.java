package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/// What the members are configured with, out of a journal. A gate that this version does not know is
/// refused: members that run with it would be written without.
final class AppliedReader {
    private AppliedReader() {}

    static MemberSettings applied(JournalFields reader) {
        String version = reader.text("version");
        var applied = new MemberSettings(
                EtcdVersion.parse(version).orElseThrow(() -> reader.wrong("version", "is not an etcd version")),
                reader.object("options").rest(),
                reader.optionalText("image"),
                reader.optionalObject("transport").map(AppliedReader::transport).orElse(Transport.PLAIN),
                reader.optionalObject("trusted").map(AppliedReader::trusted).orElse(Authorities.FIRST),
                features(reader));
        reader.done();
        return applied;
    }

    private static SortedSet<FeatureGate> features(JournalFields reader) {
        var features = new TreeSet<FeatureGate>();
        for (String title : reader.optionalTexts("features")) {
            features.add(FeatureGate.named(title)
                    .filter(FeatureGate::isOfEtcd)
                    .orElseThrow(() -> reader.wrong("features", "names a gate that this version does not know")));
        }
        return features;
    }

    private static Authorities trusted(JournalFields reader) {
        var trusted = new Authorities(reader.ordinal("former"), reader.ordinal("newest"));
        reader.done();
        return trusted;
    }

    private static Transport transport(JournalFields reader) {
        var transport = new Transport(mode(reader, "peer"), mode(reader, "client"));
        reader.done();
        return transport;
    }

    private static Transport.Mode mode(JournalFields reader, String field) {
        String name = reader.text(field);
        return Arrays.stream(Transport.Mode.values())
                .filter(mode -> Transport.name(mode).equals(name))
                .findFirst()
                .orElseThrow(() -> reader.wrong(field, "is not a known transport"));
    }
}
