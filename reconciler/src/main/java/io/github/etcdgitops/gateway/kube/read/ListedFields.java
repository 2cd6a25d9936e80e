package io.github.etcdgitops.gateway.kube.read;

import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields that are kept of a listed object: what the state of its ring is read from, and what is
/// compared with the documents. Elements of a list are kept by the rules of the list. An object's version
/// and kind are known without it.
final class ListedFields {
    private static final ListedFields ALL = new ListedFields(Map.of(), Set.of(), true);
    private static final ListedFields METADATA = ALL.without("managedFields", "creationTimestamp");
    private static final ListedFields CONDITIONS = only("type", "status", "reason", "message");

    private static final ListedFields POD = only(Map.of(
            "metadata",
            only("name", "namespace", "uid", "labels", "deletionTimestamp"),
            "status",
            only("podIP", "phase")
                    .with("conditions", CONDITIONS)
                    .with("containerStatuses", only("restartCount", "state"))));
    private static final ListedFields CLAIM = only(Map.of(
            "metadata",
            only("name", "namespace", "uid", "labels", "deletionTimestamp")
                    .with("annotations", only(Labels.RELEASED_AT)),
            "spec",
            only("resources", "storageClassName"),
            "status",
            only("phase", "capacity").with("conditions", CONDITIONS)));
    private static final ListedFields STATEFUL_SET = only(Map.of(
            "metadata",
            METADATA,
            "spec",
            only("replicas", "updateStrategy", "volumeClaimTemplates"),
            "status",
            only("observedGeneration", "currentRevision", "updateRevision")));
    private static final ListedFields OTHER =
            ALL.without("apiVersion", "kind", "status").with("metadata", METADATA);
    private static final ListedFields BUDGET = OTHER.with("status", only("observedGeneration", "disruptionsAllowed"));

    private final Map<String, ListedFields> named;
    private final Set<String> dropped;
    private final boolean others;

    private ListedFields(Map<String, ListedFields> named, Set<String> dropped, boolean others) {
        this.named = named;
        this.dropped = dropped;
        this.others = others;
    }

    static ListedFields of(ObjectKind kind) {
        return switch (kind) {
            case POD -> POD;
            case CLAIM -> CLAIM;
            case STATEFUL_SET -> STATEFUL_SET;
            case BUDGET -> BUDGET;
            default -> OTHER;
        };
    }

    private static ListedFields only(Map<String, ListedFields> fields) {
        return new ListedFields(fields, Set.of(), false);
    }

    private static ListedFields only(String... fields) {
        var all = new HashMap<String, ListedFields>();
        for (String field : fields) {
            all.put(field, ALL);
        }
        return only(Map.copyOf(all));
    }

    private ListedFields with(String field, ListedFields below) {
        var all = new HashMap<>(named);
        all.put(field, below);
        return new ListedFields(Map.copyOf(all), dropped, others);
    }

    private ListedFields without(String... fields) {
        return new ListedFields(named, Set.of(fields), others);
    }

    /// What is kept below a field; null where the field is not kept.
    @Nullable
    ListedFields below(String field) {
        var below = named.get(field);
        return below != null || !others || dropped.contains(field) ? below : ALL;
    }
}
