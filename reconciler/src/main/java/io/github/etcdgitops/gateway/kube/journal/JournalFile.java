package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.Remains;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.journal.Tries;
import java.util.LinkedHashMap;
import java.util.Map;

/// The journal as text: JSON with sorted keys, so that the same journal is the same bytes.
///
/// Reading is strict. A field that is unknown would be lost by the next write, and a journal that is
/// half understood could let a member found a second ring.
public final class JournalFile {
    public static final String KEY = "journal.json";

    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .readerFor(new TypeReference<Map<String, Object>>() {});

    private JournalFile() {}

    public static String write(Journal journal) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("formatVersion", JournalReader.FORMAT);
        tree.put("epoch", journal.epoch());
        tree.put("token", journal.token());
        journal.clusterId().ifPresent(id -> tree.put("clusterId", id.toString()));
        tree.put("applied", tree(journal.applied()));
        Map<String, Object> members = new LinkedHashMap<>();
        journal.members().forEach((ordinal, member) -> members.put(ordinal.toString(), tree(member)));
        tree.put("members", members);
        journal.intent().ifPresent(intent -> tree.put("intent", tree(intent)));
        putPast(tree, journal.past());
        try {
            return CanonicalJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the journal", e);
        }
    }

    private static void putPast(Map<String, Object> tree, Journal.Past past) {
        past.origin().ifPresent(origin -> tree.put("origin", tree(origin)));
        past.backedOut()
                .ifPresent(back ->
                        tree.put("backedOut", Map.of("operationId", back.operationId(), "reason", back.reason())));
        past.certificates().ifPresent(certificates -> tree.put("certificates", tree(certificates)));
        past.adopted()
                .ifPresent(adopted -> tree.put(
                        "adopted",
                        Map.of(
                                "claims", adopted.claims(),
                                "statefulSet", adopted.statefulSet(),
                                "settled", adopted.settled() ? 1 : 0)));
        past.remains().ifPresent(remains -> tree.put("remains", tree(remains)));
        if (past.returns() > 0) {
            tree.put("returns", past.returns());
        }
        if (!past.tries().equals(Tries.NONE)) {
            tree.put("tries", TriesFile.tree(past.tries()));
        }
        past.doings()
                .begun()
                .ifPresent(begun -> tree.put(
                        "begun",
                        Map.of(
                                "run", begun.run(),
                                "operation", begun.operation(),
                                "operationId", begun.operationId(),
                                "step", begun.step())));
        past.doings()
                .changed()
                .ifPresent(changed -> tree.put(
                        "changed",
                        Map.of(
                                "operation", changed.operation(),
                                "operationId", changed.operationId(),
                                "at", changed.at().toString(),
                                "ended", changed.ended() ? 1 : 0)));
    }

    /// Throws IllegalArgumentException on anything that [#write] of this version could not have written.
    public static Journal read(String json) {
        Map<String, Object> tree;
        try {
            tree = READER.readValue(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the journal is not JSON" + place(e), e);
        }
        if (tree == null) {
            throw new IllegalArgumentException("the journal is empty");
        }
        return JournalReader.journal(tree);
    }

    private static Map<String, Object> tree(Journal.Member member) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("incarnation", member.incarnation());
        member.id().ifPresent(id -> tree.put("id", id.toString()));
        member.claimUid().ifPresent(uid -> tree.put("claimUid", uid));
        return tree;
    }

    private static Map<String, Object> tree(Intent intent) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("kind", intent.kind().wire());
        tree.put("ordinal", intent.ordinal());
        tree.put("operationId", intent.operationId());
        tree.put("epoch", intent.epoch());
        intent.paused().ifPresent(paused -> tree.put("paused", tree(paused)));
        intent.matter().ifPresent(matter -> {
            switch (matter) {
                case Intent.Roll roll -> tree.put("roll", tree(roll));
                case Intent.Recreation recreation -> tree.put("recreation", tree(recreation));
                case Intent.Replacement replacement -> tree.put("replacement", tree(replacement));
                case Remains remains -> tree.put("remains", tree(remains));
                case SnapshotOrigin origin -> tree.put("origin", tree(origin));
            }
        });
        return tree;
    }

    private static Map<String, Object> tree(Remains remains) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("reason", remains.reason());
        tree.put("since", remains.since().toString());
        if (remains.volumes() != Remains.Volumes.KEPT) {
            tree.put("volumes", remains.volumes().wire());
        }
        if (!remains.going().isEmpty()) {
            Map<String, Object> going = new LinkedHashMap<>();
            remains.going().forEach((ordinal, uid) -> going.put(ordinal.toString(), uid));
            tree.put("going", going);
        }
        remains.saved()
                .ifPresent(saved -> tree.put("saved", Map.of("backup", saved.backup(), "revision", saved.revision())));
        remains.data()
                .ifPresent(data -> tree.put(
                        "data",
                        Map.of(
                                "revision", data.revision(),
                                "compactRevision", data.compactRevision(),
                                "hash", data.hash())));
        return tree;
    }

    private static Map<String, Object> tree(Intent.Replacement replacement) {
        Map<String, Object> tree = new LinkedHashMap<>();
        replacement.formers().forEach((ordinal, former) -> tree.put(ordinal.toString(), tree(former)));
        return tree;
    }

    private static Map<String, Object> tree(Intent.Former former) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("member", former.member().toString());
        tree.put("claimUid", former.claimUid());
        tree.put("lost", former.why() == Intent.Why.LOST ? 1 : 0);
        if (former.why() != Intent.Why.LOST && former.why() != Intent.Why.VOLUME_ASKED) {
            tree.put("why", former.why().wire());
        }
        return tree;
    }

    private static Map<String, Object> tree(Intent.Recreation recreation) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("size", recreation.storage().size());
        recreation.storage().storageClassName().ifPresent(name -> tree.put("storageClassName", name));
        tree.put("replicas", recreation.replicas());
        tree.put("revision", recreation.revision());
        tree.put("template", recreation.template());
        return tree;
    }

    private static Map<String, Object> tree(Intent.Roll roll) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("target", tree(roll.target()));
        tree.put("formerTemplate", roll.formerTemplate());
        roll.stuck().ifPresent(why -> tree.put("stuck", why));
        return tree;
    }

    private static Map<String, Object> tree(MemberSettings applied) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", applied.version().toString());
        tree.put("options", applied.options());
        applied.image().ifPresent(image -> tree.put("image", image));
        if (applied.transport().secured()) {
            tree.put(
                    "transport",
                    Map.of(
                            "peer", Transport.name(applied.transport().peer()),
                            "client", Transport.name(applied.transport().client())));
        }
        if (!applied.trusted().equals(Authorities.FIRST)) {
            tree.put(
                    "trusted",
                    Map.of(
                            "former", applied.trusted().former(),
                            "newest", applied.trusted().newest()));
        }
        if (!applied.features().isEmpty()) {
            tree.put(
                    "features",
                    applied.features().stream().map(FeatureGate::title).toList());
        }
        return tree;
    }

    private static Map<String, Object> tree(Journal.Certificates certificates) {
        Map<String, Object> tree = new LinkedHashMap<>(tree(certificates.first()));
        tree.put("authority", certificates.authority());
        certificates.newest().ifPresent(newest -> tree.put("newest", tree(newest)));
        certificates.issuer().ifPresent(issuer -> tree.put("issuer", issuer.wire()));
        return tree;
    }

    private static Map<String, Object> tree(Validity validity) {
        return Map.of(
                "begin", validity.begin().toString(), "end", validity.end().toString());
    }

    private static Map<String, Object> tree(SnapshotOrigin origin) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("request", origin.request());
        tree.put("from", origin.from());
        origin.backup().ifPresent(id -> tree.put("backup", id));
        tree.put("size", origin.size());
        tree.put("sha256", origin.sha256());
        origin.bumpRevision().ifPresent(by -> tree.put("bumpRevision", by));
        origin.contents().ifPresent(contents -> tree.put("contents", tree(contents)));
        return tree;
    }

    private static Map<String, Object> tree(SnapshotContents contents) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", contents.version().toString());
        tree.put("revision", contents.revision());
        contents.keys().ifPresent(keys -> tree.put("keys", keys));
        tree.put(
                "hashes",
                contents.hashes().stream()
                        .map(hash -> Map.of(
                                "revision", hash.revision(),
                                "compactRevision", hash.compactRevision(),
                                "hash", hash.hash(),
                                "members", hash.members()))
                        .toList());
        return tree;
    }

    /// Only the place: the parser's own message quotes the text.
    private static String place(JsonProcessingException e) {
        return e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
    }
}
