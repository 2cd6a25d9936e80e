package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What an API server refuses of a pod is refused in the document.
class PodTemplateChecksTest {
    private static final String SELECTOR = "labelSelector: {matchLabels: {a: b}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tolerations: [{key: a, operator: Exists, effect: NoExcute}] | unknown-value | tolerations/0/effect",
                "tolerations: [{key: a, operator: Exist}] | unknown-value | tolerations/0/operator",
                "tolerations: [{operator: Equal, value: a}] | refused-by-kubernetes | tolerations/0",
                "tolerations: [{value: a}] | refused-by-kubernetes | tolerations/0",
                "tolerations: [{}] | refused-by-kubernetes | tolerations/0",
                "tolerations: [{key: a, operator: Exists, value: b}] | refused-by-kubernetes | tolerations/0/value",
                "tolerations: [{key: a, operator: Exists, tolerationSeconds: 5}] | refused-by-kubernetes |"
                        + " tolerations/0/tolerationSeconds",
                "tolerations: [{key: a, effect: NoSchedule, tolerationSeconds: 5}] | refused-by-kubernetes |"
                        + " tolerations/0/tolerationSeconds",
                "tolerations: [{key: 'a b'}] | bad-format | tolerations/0/key",
                "tolerations: [{key: a, value: 'a b'}] | bad-format | tolerations/0/value",
                "tolerations: [{key: a, seconds: 3}] | unknown-field | tolerations/0/seconds",
                "tolerations: [{key: a, tolerationSeconds: soon, effect: NoExecute}] | wrong-type |"
                        + " tolerations/0/tolerationSeconds",
                "topologySpreadConstraints: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}] |"
                        + " out-of-range | topologySpreadConstraints/0/maxSkew",
                "topologySpreadConstraints: [{maxSkew: -1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}] |"
                        + " out-of-range | topologySpreadConstraints/0/maxSkew",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Never}] |"
                        + " unknown-value | topologySpreadConstraints/0/whenUnsatisfiable",
                "topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}] | missing-field |"
                        + " topologySpreadConstraints/0/topologyKey",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone}] | missing-field |"
                        + " topologySpreadConstraints/0/whenUnsatisfiable",
                "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule}] | missing-field |"
                        + " topologySpreadConstraints/0/maxSkew",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway,"
                        + " minDomains: 2}] | refused-by-kubernetes | topologySpreadConstraints/0/minDomains",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                        + " minDomains: 0}] | out-of-range | topologySpreadConstraints/0/minDomains",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                        + " nodeTaintsPolicy: honor}] | unknown-value | topologySpreadConstraints/0/nodeTaintsPolicy",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                        + " matchLabelKeys: [a]}] | refused-by-kubernetes | topologySpreadConstraints/0",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule},{maxSkew:"
                        + " 2, topologyKey: z, whenUnsatisfiable: DoNotSchedule}] | refused-by-kubernetes |"
                        + " topologySpreadConstraints/1",
                "nodeSelector: {'-a': b} | bad-key | nodeSelector/-a",
                "nodeSelector: {disk: 'a b'} | bad-format | nodeSelector/disk",
                "nodeSelector: {a..b/c: d} | bad-key | nodeSelector/a..b~1c",
                "metadata: {labels: {'a/b/c': d}} | bad-key | metadata/labels/a~1b~1c",
                "metadata: {labels: {a: '-b'}} | bad-format | metadata/labels/a",
                "metadata: {annotations: {'a b': c}} | bad-key | metadata/annotations/a b",
                "resources: {requests: {cpu: 2}, limits: {cpu: 1}} | request-above-limit | resources/requests/cpu",
                "resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}} | request-above-limit |"
                        + " resources/requests/memory",
                "resources: {requests: {cpu: -1}} | out-of-range | resources/requests/cpu",
                "resources: {requests: {memory: -1Gi}} | bad-format | resources/requests/memory",
                "resources: {limits: {memory: 16Ei}} | quantity-too-large | resources/limits/memory",
                "resources: {limits: {memory: 512m}} | memory-in-thousandths | resources/limits/memory",
                "resources: {limits: {gpu: 1}} | bad-key | resources/limits/gpu",
                "resources: {requests: {storage: 1Gi}} | bad-key | resources/requests/storage",
                "resources: {requests: {example.com/card: 1}} | refused-by-kubernetes |"
                        + " resources/requests/example.com~1card",
                "resources: {limits: {example.com/card: 0.5}} | refused-by-kubernetes |"
                        + " resources/limits/example.com~1card",
                "resources: {requests: {hugepages-2Mi: 2Mi}, limits: {hugepages-2Mi: 4Mi}} | refused-by-kubernetes |"
                        + " resources/limits/hugepages-2Mi",
                "resources: {claims: [{name: a}]} | unknown-field | resources/claims",
                "securityContext: {runAsUser: 0} | out-of-range | securityContext/runAsUser",
                "priorityClassName: High | bad-format | priorityClassName",
                "imagePullSecrets: [{name: A}] | bad-format | imagePullSecrets/0/name",
                "schedulerName: a_b | bad-format | schedulerName"
            })
    void refusesWhatAnApiServerRefuses(String field, String code, String place) {
        assertThat(violations(field))
                .singleElement()
                .satisfies(v -> assertThat(v.code()).as(v.toString()).isEqualTo(code))
                .satisfies(v -> assertThat(v.at().pointer()).isEqualTo("/spec/podTemplate/" + place));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "podAffinity: [] | wrong-type",
                "podsAffinity: {} | unknown-field",
                "podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}}]} |"
                        + " missing-field",
                "podAntiAffinity: {requiredDuringScheduling: []} | unknown-field",
                "podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, podAffinityTerm:"
                        + " {topologyKey: a}}]} | out-of-range",
                "podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 101, podAffinityTerm:"
                        + " {topologyKey: a}}]} | out-of-range",
                "podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]} | missing-field",
                "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, namespaces: [A]}]} |"
                        + " bad-format",
                "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, mismatchLabelKeys:"
                        + " [b]}]} | refused-by-kubernetes",
                "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, labelSelector:"
                        + " {matchExpressions: [{key: b, operator: In}]}}]} | refused-by-kubernetes",
                "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, labelSelector:"
                        + " {matchExpressions: [{key: b, operator: Exists, values: [c]}]}}]} | refused-by-kubernetes",
                "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, labelSelector:"
                        + " {matchExpressions: [{key: b, operator: Gt, values: ['1']}]}}]} | unknown-value",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}} |"
                        + " out-of-range",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}} | missing-field",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{}]} | wrong-type",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: a, operator: Is, values: [b]}]}]}} | unknown-value",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: a, operator: Gt, values: [b]}]}]}} | refused-by-kubernetes",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields:"
                        + " [{key: metadata.name, operator: In, values: [a, b]}]}]}} | refused-by-kubernetes",
                "nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields:"
                        + " [{key: spec.name, operator: In, values: [a]}]}]}} | unknown-value",
                "nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference:"
                        + " {matchExpressions: [{key: a, operator: NotIn}]}}]} | refused-by-kubernetes"
            })
    void refusesAffinityThatAnApiServerRefuses(String affinity, String code) {
        assertThat(violations("affinity: {" + affinity + "}"))
                .singleElement()
                .satisfies(v -> assertThat(v.code()).as(v.toString()).isEqualTo(code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tolerations: [{operator: Exists}]",
                "tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]",
                "tolerations: [{key: a.b/c, operator: Equal, value: d, effect: NoSchedule}]",
                "tolerations: [{key: a}]",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable:"
                        + " DoNotSchedule, minDomains: 3, "
                        + SELECTOR + ", matchLabelKeys: [pod-template-hash]}]",
                "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                        + " kubernetes.io/hostname, "
                        + SELECTOR + "}]}}",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: a, operator: Gt, values: ['5']}]}]}}}",
                "nodeSelector: {kubernetes.io/arch: amd64, empty: ''}",
                "resources: {requests: {cpu: 500m, memory: 1Gi, ephemeral-storage: 1Gi}, limits: {memory: 1Gi,"
                        + " example.com/card: 1}}",
                "resources: {requests: {cpu: 0.5}, limits: {cpu: '1'}}"
            })
    void takesWhatAnApiServerTakes(String field) {
        assertThat(violations(field)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"clientNamespaceSelector", "metricsNamespaceSelector"})
    void refusesSelectorsOfNamespacesThatAnApiServerRefuses(String selector) {
        var ring =
                Trees.ring("a", "  networkPolicy: {" + selector + ": {matchExpressions: [{key: a, operator: In}]}}\n");

        assertThat(load(ring)).extracting(Violation::code).containsExactly("refused-by-kubernetes");
    }

    private static List<Violation> violations(String field) {
        return load(Trees.ring("a", "  podTemplate:\n    " + field + "\n"));
    }

    private static List<Violation> load(String ring) {
        return SpecLoader.load(Trees.of(Map.of("clusters/a.yaml", ring))).violations();
    }
}
