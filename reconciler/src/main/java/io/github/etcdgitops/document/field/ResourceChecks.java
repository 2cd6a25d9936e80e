package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.value.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Requests and limits of the etcd container, checked as an API server checks them.
final class ResourceChecks {
    private static final String REQUESTS = "requests";
    private static final String LIMITS = "limits";

    private final YamlDocument document;
    private final Findings findings;

    private ResourceChecks(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    static void check(YamlDocument document, Findings findings) {
        var checks = new ResourceChecks(document, findings);
        var names = new TreeSet<String>();
        names.addAll(document.keys("spec", "podTemplate", "resources", REQUESTS));
        names.addAll(document.keys("spec", "podTemplate", "resources", LIMITS));
        names.forEach(checks::resource);
        List.of(REQUESTS, LIMITS).forEach(checks::memory);
    }

    private void resource(String name) {
        var request = quantity(REQUESTS, name);
        var limit = quantity(LIMITS, name);
        for (String part : List.of(REQUESTS, LIMITS)) {
            quantity(part, name)
                    .filter(Quantity::isMoreThanFits)
                    .ifPresent(_ -> findings.at(
                            path(part, name),
                            "quantity-too-large",
                            "`" + Shown.path(path(part, name)) + "` is more than 2^63 - 1, the limit of Kubernetes.",
                            "Sizes end in Ki, Mi or Gi: \"2Gi\"."));
        }
        if (request.isPresent() && limit.isPresent() && request.get().compareTo(limit.get()) > 0) {
            findings.at(
                    path(REQUESTS, name),
                    "request-above-limit",
                    "The request for " + Shown.plain(name)
                            + " is higher than its limit; Kubernetes would not create the pods.",
                    "Raise the limit or lower the request.");
        } else if (name.contains("/") || name.startsWith("hugepages-")) {
            countedOut(name, request, limit);
        }
    }

    /// Huge pages and the resources of device plugins are never shared.
    private void countedOut(String name, Optional<Quantity> request, Optional<Quantity> limit) {
        if (limit.isEmpty()
                || request.filter(r -> r.compareTo(limit.get()) != 0).isPresent()) {
            findings.at(
                    limit.isEmpty() ? path(REQUESTS, name) : path(LIMITS, name),
                    "refused-by-kubernetes",
                    Shown.plain(name) + " cannot be overcommitted; Kubernetes needs a limit for it, and the request"
                            + " must equal the limit or be absent.",
                    "Set `limits` for it, and leave it out of `requests`.");
        } else if (limit.get().wholeBytes().isEmpty()) {
            findings.at(
                    path(LIMITS, name),
                    "refused-by-kubernetes",
                    "`" + Shown.path(path(LIMITS, name)) + "` is not a whole number; Kubernetes counts "
                            + Shown.plain(name) + " in whole numbers.",
                    "Write a whole number.");
        }
    }

    private void memory(String part) {
        document.text("spec", "podTemplate", "resources", part, "memory")
                .filter(text -> text.endsWith("m"))
                .ifPresent(text -> findings.at(
                        path(part, "memory"),
                        "memory-in-thousandths",
                        "The memory is " + Shown.quoted(text) + "; `m` means thousandths of a byte.",
                        "Mebibytes end in Mi: \"" + Shown.plain(text.substring(0, text.length() - 1)) + "Mi\"."));
    }

    private Optional<Quantity> quantity(String part, String name) {
        return document.find("spec", "podTemplate", "resources", part, name)
                .flatMap(node ->
                        node instanceof YamlNode.Scalar scalar ? Quantity.parse(scalar.text()) : Optional.empty());
    }

    private static List<String> path(String part, String name) {
        return List.of("spec", "podTemplate", "resources", part, name);
    }
}
