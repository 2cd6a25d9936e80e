package io.github.etcdgitops.gateway.kube.read;

import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the lists contained and was not kept, as sentences. Their number is limited, too.
final class IgnoredObjects {
    private static final int NAMESPACES = 10;

    private final SortedMap<String, Integer> misnamed = new TreeMap<>();

    void add(ObjectKind kind, ListedObjects objects) {
        objects.misnamed()
                .forEach((namespace, count) -> misnamed.merge(
                        (namespace.equals("?") ? "a namespace" : "namespace " + namespace) + ": %d " + kind.plural(),
                        count,
                        Integer::sum));
    }

    List<String> sentences(int more) {
        var sentences = new ArrayList<String>();
        misnamed.entrySet().stream()
                .limit(NAMESPACES)
                .forEach(e -> sentences.add(e.getKey().formatted(e.getValue()) + " have a value of the label "
                        + Labels.CLUSTER + " that is not a valid name of a ring. They are ignored. Remove the label"));
        if (misnamed.size() > NAMESPACES) {
            sentences.add((misnamed.size() - NAMESPACES) + " more namespaces and kinds have such labels");
        }
        if (more > 0) {
            sentences.add("the labels of objects name " + more + " more rings without a document, besides the "
                    + ListedObjects.Others.MOST + " that are shown. Find out who creates objects with the label "
                    + Labels.CLUSTER);
        }
        return sentences;
    }
}
