package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// How the fields of tolerations, affinity, topology spread and label selectors go together. An API server
/// checks the same only when the StatefulSet's pods are created, which is after the ring's creation has
/// started.
final class SchedulingChecks {
    private static final String CODE = "refused-by-kubernetes";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> POD = List.of("spec", "podTemplate");
    private static final String INTEGER = "-?[0-9]{1,18}";

    private static final Set<String> SETS = Set.of("In", "NotIn");
    private static final Set<String> PRESENCE = Set.of("Exists", "DoesNotExist");
    private static final Set<String> ORDER = Set.of("Gt", "Lt");

    private final YamlDocument document;
    private final Findings findings;

    private SchedulingChecks(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    static void check(YamlDocument document, Findings findings) {
        var checks = new SchedulingChecks(document, findings);
        checks.items(below(POD, "tolerations")).forEach(checks::toleration);
        checks.spread(below(POD, "topologySpreadConstraints"));
        checks.nodeAffinity(below(POD, "affinity", "nodeAffinity"));
        checks.podAffinity(below(POD, "affinity", "podAffinity"));
        checks.podAffinity(below(POD, "affinity", "podAntiAffinity"));
        checks.selector(List.of("spec", "networkPolicy", "clientNamespaceSelector"));
        checks.selector(List.of("spec", "networkPolicy", "metricsNamespaceSelector"));
    }

    private void toleration(List<String> at) {
        String operator = text(at, "operator").orElse("Equal");
        if (!has(at, "key") && !operator.equals("Exists")) {
            refuse(at, "has no key", "a toleration without a key tolerates everything, which takes `operator: Exists`");
        }
        if (operator.equals("Exists")
                && text(at, "value").filter(v -> !v.isEmpty()).isPresent()) {
            refuse(below(at, "value"), "is set", "the operator Exists takes no value");
        }
        if (has(at, "tolerationSeconds")
                && text(at, "effect").filter("NoExecute"::equals).isEmpty()) {
            refuse(below(at, "tolerationSeconds"), "is set", "it is valid only with `effect: NoExecute`");
        }
    }

    private void spread(List<String> list) {
        var seen = new HashSet<String>();
        for (var at : items(list)) {
            var when = text(at, "whenUnsatisfiable");
            if (has(at, "minDomains") && when.filter("DoNotSchedule"::equals).isEmpty()) {
                refuse(below(at, "minDomains"), "is set", "it is valid only with `whenUnsatisfiable: DoNotSchedule`");
            }
            var key = text(at, "topologyKey");
            if (key.isPresent() && when.isPresent() && !seen.add(key.get() + " " + when.get())) {
                refuse(at, "repeats a topologyKey and whenUnsatisfiable", "each pair of these may appear only once");
            }
            labelKeys(at);
            selector(below(at, "labelSelector"));
        }
    }

    private void nodeAffinity(List<String> affinity) {
        items(below(affinity, REQUIRED, "nodeSelectorTerms")).forEach(this::nodeTerm);
        items(below(affinity, PREFERRED)).forEach(at -> nodeTerm(below(at, "preference")));
    }

    private void nodeTerm(List<String> term) {
        items(below(term, "matchExpressions")).forEach(this::expression);
        for (var at : items(below(term, "matchFields"))) {
            boolean one = document.items(array(below(at, "values"))).size() == 1;
            if (!SETS.contains(text(at, "operator").orElse("In")) || !one) {
                refuse(at, "does not select exactly one node", "it takes the operator In or NotIn and one value");
            }
        }
    }

    private void podAffinity(List<String> affinity) {
        var terms = new ArrayList<>(items(below(affinity, REQUIRED)));
        items(below(affinity, PREFERRED)).forEach(at -> terms.add(below(at, "podAffinityTerm")));
        for (var at : terms) {
            labelKeys(at);
            selector(below(at, "labelSelector"));
            selector(below(at, "namespaceSelector"));
        }
    }

    private void labelKeys(List<String> at) {
        var keys = document.texts(array(below(at, "matchLabelKeys")));
        var others = document.texts(array(below(at, "mismatchLabelKeys")));
        if ((!keys.isEmpty() || !others.isEmpty()) && !has(at, "labelSelector")) {
            refuse(at, "has label keys without a labelSelector", "matchLabelKeys and mismatchLabelKeys need one");
        }
        if (keys.stream().anyMatch(others::contains)) {
            refuse(at, "has a key in matchLabelKeys and in mismatchLabelKeys", "no pod can match both");
        }
    }

    private void selector(List<String> selector) {
        items(below(selector, "matchExpressions")).forEach(this::expression);
    }

    private void expression(List<String> at) {
        var values = document.items(array(below(at, "values")));
        String operator = text(at, "operator").orElse("");
        boolean number = values.size() == 1
                && values.getFirst() instanceof YamlNode.Scalar scalar
                && scalar.text().matches(INTEGER);
        if (SETS.contains(operator) && values.isEmpty()) {
            refuse(at, "has no values", "the operators In and NotIn take one or more");
        } else if (PRESENCE.contains(operator) && !values.isEmpty()) {
            refuse(below(at, "values"), "is set", "the operators Exists and DoesNotExist take none");
        } else if (ORDER.contains(operator) && !number) {
            refuse(at, "does not compare with a number", "the operators Gt and Lt take one value, a whole number");
        }
    }

    private void refuse(List<String> at, String what, String rule) {
        if (findings.noneAt(at)) {
            findings.at(
                    at,
                    CODE,
                    "`" + Shown.path(at) + "` " + what + "; Kubernetes refuses such pods: " + rule + ".",
                    "See the Kubernetes documentation of this field.");
        }
    }

    private List<List<String>> items(List<String> list) {
        return IntStream.range(0, document.items(array(list)).size())
                .mapToObj(i -> below(list, Integer.toString(i)))
                .toList();
    }

    private Optional<String> text(List<String> at, String field) {
        return document.text(array(below(at, field)));
    }

    private boolean has(List<String> at, String field) {
        return document.find(array(below(at, field)))
                .filter(node -> !node.isNothing())
                .isPresent();
    }

    private static List<String> below(List<String> path, String... more) {
        var all = new ArrayList<>(path);
        all.addAll(List.of(more));
        return all;
    }

    private static String[] array(List<String> path) {
        return path.toArray(String[]::new);
    }
}
