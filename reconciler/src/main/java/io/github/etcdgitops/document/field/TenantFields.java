package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.spec.value.Tls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads and checks the Fleet's settings for tenants and images.
public final class TenantFields {
    private static final String SPEC = "spec";
    private static final String TENANTS = "tenants";
    private static final String NAMESPACES = "namespaces";

    private final YamlDocument document;
    private final Findings findings;

    private TenantFields(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    public static void check(YamlDocument document, Findings findings) {
        var fields = new TenantFields(document, findings);
        fields.unique("name");
        fields.unique("paths");
        fields.plainPaths();
        fields.separateNamespaces();
        new SharedRingFields(document).check(findings);
        var names = fields.all("name");
        fields.known(List.of("backups", "restoreFrom"), "tenant", names);
        var environments = IntStream.range(
                        0, document.items(SPEC, "environments").size())
                .mapToObj(i -> document.text(SPEC, "environments", Integer.toString(i), "name"))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        fields.known(List.of("environments"), "environment", environments);
    }

    private int size() {
        return document.items(SPEC, TENANTS).size();
    }

    private static List<String> place(int tenant, List<String> field) {
        return Stream.concat(Stream.of(SPEC, TENANTS, Integer.toString(tenant)), field.stream())
                .toList();
    }

    private List<String> texts(int tenant, List<String> field) {
        return document.texts(place(tenant, field).toArray(String[]::new));
    }

    private String name(int tenant) {
        return document.text(place(tenant, List.of("name")).toArray(String[]::new))
                .orElse("");
    }

    private Set<String> all(String field) {
        return IntStream.range(0, size())
                .mapToObj(i -> document.text(place(i, List.of(field)).toArray(String[]::new)))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /// Values that two tenants must not share.
    private void unique(String field) {
        var owners = new HashMap<String, Integer>();
        for (int tenant = 0; tenant < size(); tenant++) {
            boolean list = field.equals("paths");
            var values = list ? texts(tenant, List.of(field)) : List.of(name(tenant));
            int index = 0;
            for (String value : values) {
                var at = list ? List.of(field, Integer.toString(index++)) : List.of(field);
                Integer other = owners.putIfAbsent(value, tenant);
                if (other != null && other != tenant && !value.isEmpty()) {
                    findings.at(
                            place(tenant, at),
                            list ? "duplicate-path" : "duplicate-tenant",
                            list
                                    ? "The path " + Shown.quoted(value) + " belongs to the tenant "
                                            + Shown.quoted(name(other)) + " already."
                                    : "Two tenants have the name " + Shown.quoted(value) + ".",
                            list ? "Keep the path in one of the two." : "Give each tenant its own name.");
                }
            }
        }
    }

    private void plainPaths() {
        for (int tenant = 0; tenant < size(); tenant++) {
            int index = 0;
            for (String path : texts(tenant, List.of("paths"))) {
                var at = place(tenant, List.of("paths", Integer.toString(index++)));
                if (Stream.of(path.split("/")).anyMatch(part -> part.equals("..") || part.equals("."))) {
                    findings.at(
                            at,
                            "bad-format",
                            "The path " + Shown.quoted(path) + " has a part `.` or `..`, so it matches no file.",
                            "Write it without.");
                }
            }
        }
    }

    /// A shared namespace would give one tenant access to the other.
    private void separateNamespaces() {
        var earlier = new ArrayList<Map.Entry<Integer, Glob>>();
        for (int tenant = 0; tenant < size(); tenant++) {
            int index = 0;
            for (String text : texts(tenant, List.of(NAMESPACES))) {
                int mine = tenant;
                var pattern = new Glob(text);
                var at = place(tenant, List.of(NAMESPACES, Integer.toString(index++)));
                earlier.stream()
                        .filter(e -> e.getKey() != mine && e.getValue().overlaps(pattern))
                        .findFirst()
                        .ifPresent(other -> findings.at(
                                at,
                                "shared-namespace",
                                Shown.quoted(text) + " can match a namespace that "
                                        + Shown.quoted(other.getValue().text()) + " of the tenant "
                                        + Shown.quoted(name(other.getKey())) + " also matches.",
                                "A namespace belongs to one tenant: narrow one of the two patterns."));
                earlier.add(Map.entry(tenant, pattern));
            }
        }
    }

    private void known(List<String> field, String what, Set<String> known) {
        for (int tenant = 0; tenant < size(); tenant++) {
            int index = 0;
            for (String name : texts(tenant, field)) {
                var at = Stream.concat(field.stream(), Stream.of(Integer.toString(index++)))
                        .toList();
                if (!known.contains(name)) {
                    findings.at(
                            place(tenant, at),
                            "unknown-" + what,
                            Shown.quoted(name) + " is not a " + what + " of this Fleet.",
                            known.isEmpty()
                                    ? "Remove it: the Fleet names none."
                                    : Suggestion.hint(name, known, "There are "));
                }
            }
        }
    }

    /// For a document that passed every check.
    public static Fleet.Sharing read(YamlDocument document) {
        var fields = new TenantFields(document, new Findings(document));
        return new Fleet.Sharing(
                document.texts(SPEC, "images", "repositories"),
                IntStream.range(0, fields.size()).mapToObj(fields::tenant).toList(),
                document.at(List.of(SPEC, "images", "repositories")));
    }

    private Tenant tenant(int at) {
        var scope = new Tenant.Scope(
                texts(at, List.of("paths")),
                Namespaces.of(texts(at, List.of(NAMESPACES))),
                given(at, List.of("environments")),
                new SharedRingFields(document).of(at));
        var pods = new Tenant.Pods(
                given(at, List.of("images", "repositories")),
                given(at, List.of("storageClasses")),
                texts(at, List.of("priorityClasses")),
                nodeSelector(at),
                texts(at, List.of("nodes", "tolerations")),
                texts(at, List.of("podMetadata")));
        var backups = new Tenant.Backups(
                texts(at, List.of("backups", "policies")),
                texts(at, List.of("backups", "destinations")),
                texts(at, List.of("backups", "restoreFrom")));
        return new Tenant(
                name(at),
                scope,
                document.text(place(at, List.of("serviceAccount")).toArray(String[]::new)),
                pods,
                backups,
                issuers(at),
                document.at(place(at, List.of())));
    }

    private Optional<List<String>> given(int tenant, List<String> field) {
        return document.has(place(tenant, field).toArray(String[]::new))
                ? Optional.of(texts(tenant, field))
                : Optional.empty();
    }

    private SortedMap<String, String> nodeSelector(int tenant) {
        var place = place(tenant, List.of("nodes", "selector")).toArray(String[]::new);
        var selector = new TreeMap<String, String>();
        for (String key : document.keys(place)) {
            document.text(Stream.concat(Stream.of(place), Stream.of(key)).toArray(String[]::new))
                    .ifPresent(value -> selector.put(key, value));
        }
        return selector;
    }

    private Optional<List<Tls.IssuerRef>> issuers(int tenant) {
        var place = place(tenant, List.of("issuers")).toArray(String[]::new);
        if (!document.has(place)) {
            return Optional.empty();
        }
        var issuers = new ArrayList<Tls.IssuerRef>();
        for (int i = 0; i < document.items(place).size(); i++) {
            String at = Integer.toString(i);
            issuers.add(new Tls.IssuerRef(
                    document.text(place(tenant, List.of("issuers", at, "kind")).toArray(String[]::new))
                            .orElseThrow(),
                    document.text(place(tenant, List.of("issuers", at, "name")).toArray(String[]::new))
                            .orElseThrow()));
        }
        return Optional.of(issuers);
    }
}
