package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.IntentMatter;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The operation under way: the field of its kind holds its details.
record IntentWire(
        Intent.Kind kind,
        int ordinal,
        String operationId,
        long epoch,
        Optional<Intent.Roll> roll,
        Optional<Intent.Recreation> recreation,
        Optional<Intent.Replacement> replacement,
        Optional<RetainedRing> remains,
        Optional<SnapshotOrigin> origin,
        Optional<Intent> paused)
        implements Wire<Intent> {
    static IntentWire of(Intent intent) {
        return new IntentWire(
                intent.kind(),
                intent.ordinal(),
                intent.operationId(),
                intent.epoch(),
                matter(intent, Intent.Roll.class),
                matter(intent, Intent.Recreation.class),
                matter(intent, Intent.Replacement.class),
                matter(intent, RetainedRing.class),
                matter(intent, SnapshotOrigin.class),
                intent.paused());
    }

    private static <M extends IntentMatter> Optional<M> matter(Intent intent, Class<M> type) {
        return intent.matter().filter(type::isInstance).map(type::cast);
    }

    @Override
    public Intent meaning() throws JsonMappingException {
        var matters = new TreeMap<String, Optional<? extends IntentMatter>>(Map.of(
                "roll", roll,
                "recreation", recreation,
                "replacement", replacement,
                "remains", remains,
                "origin", origin));
        var matter = Optional.<IntentMatter>empty();
        if (field().isPresent()) {
            String field = field().get();
            matter = Optional.of(Objects.requireNonNull(matters.remove(field))
                    .orElseThrow(() -> JournalFields.wrong(field, "is missing")));
        }
        JournalFields.requireNone(matters);
        return new Intent(kind, ordinal, operationId, JournalFields.epoch(epoch), matter, paused);
    }

    private Optional<String> field() {
        return switch (kind) {
            case FOUND, RESTORE, ADOPT, JOIN, LEAVE -> Optional.empty();
            case ROLL, UNROLL -> Optional.of("roll");
            case RECREATE -> Optional.of("recreation");
            case REPLACE -> Optional.of("replacement");
            case DELETE, RETURN -> Optional.of("remains");
            case RECOVER -> Optional.of("origin");
        };
    }

    /// `why` is set where `lost` is not enough: without it, a volume was lost, or a document asks for
    /// another one.
    record Former(EtcdId member, String claimUid, boolean lost, Optional<Intent.Why> why)
            implements Wire<Intent.Former> {
        static Former of(Intent.Former former) {
            return new Former(
                    former.member(),
                    former.claimUid(),
                    former.why() == Intent.Why.LOST,
                    Optional.of(former.why()).filter(why -> why != Intent.Why.LOST && why != Intent.Why.VOLUME_ASKED));
        }

        @Override
        public Intent.Former meaning() {
            return new Intent.Former(member, claimUid, why.orElse(lost ? Intent.Why.LOST : Intent.Why.VOLUME_ASKED));
        }
    }

    record Recreation(String size, Optional<String> storageClassName, int replicas, String revision, String template)
            implements Wire<Intent.Recreation> {
        static Recreation of(Intent.Recreation made) {
            var storage = made.storage();
            return new Recreation(
                    storage.size(), storage.storageClassName(), made.replicas(), made.revision(), made.template());
        }

        @Override
        public Intent.Recreation meaning() {
            return new Intent.Recreation(new Storage(size, storageClassName), replicas, revision, template);
        }
    }

    /// What is kept of a ring that does not exist. If it says nothing about its volumes, they are retained.
    record Deleted(
            String reason,
            Instant since,
            Optional<RetainedRing.Data> data,
            Optional<RetainedRing.Volumes> volumes,
            Optional<RetainedRing.Saved> saved,
            Optional<SortedMap<Integer, String>> going)
            implements Wire<RetainedRing> {
        static Deleted of(RetainedRing remains) {
            return new Deleted(
                    remains.reason(),
                    remains.since(),
                    remains.data(),
                    Optional.of(remains.volumes()).filter(volumes -> volumes != RetainedRing.Volumes.KEPT),
                    remains.saved(),
                    Optional.of(remains.going()).filter(claims -> !claims.isEmpty()));
        }

        @Override
        public RetainedRing meaning() {
            return new RetainedRing(
                    reason,
                    since,
                    data,
                    volumes.orElse(RetainedRing.Volumes.KEPT),
                    saved,
                    going.orElseGet(TreeMap::new));
        }
    }
}
