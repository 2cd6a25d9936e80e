package io.github.etcdgitops.gateway.kube.journal;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import java.util.OptionalLong;

/// Takes apart what a journal says of the snapshot that a ring begins with.
final class OriginReader {
    private OriginReader() {}

    static SnapshotOrigin origin(JournalFields reader) {
        var origin = new SnapshotOrigin(
                reader.text("request"),
                reader.text("from"),
                reader.optionalText("backup"),
                reader.number("size"),
                reader.text("sha256"),
                reader.optionalNumber("bumpRevision"),
                reader.optionalObject("contents").map(OriginReader::contents));
        reader.done();
        return origin;
    }

    private static SnapshotContents contents(JournalFields reader) {
        String version = reader.text("version");
        var contents = new SnapshotContents(
                EtcdVersion.parse(version).orElseThrow(() -> reader.wrong("version", "is not an etcd version")),
                reader.number("revision"),
                reader.optionalNumber("keys").map(OptionalLong::of).orElse(OptionalLong.empty()),
                reader.objects("hashes").stream().map(OriginReader::hash).toList());
        reader.done();
        return contents;
    }

    private static KvHash hash(JournalFields reader) {
        var hash = new KvHash(
                reader.number("revision"),
                reader.whole("compactRevision"),
                reader.number("hash"),
                reader.texts("members"));
        reader.done();
        return hash;
    }
}
