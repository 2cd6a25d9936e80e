package io.github.etcdgitops.policy;

import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Tenant;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.validation.Location;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The tenant limits of a Fleet that allow more than before. Limits that cannot be compared count as wider.
final class WidenedTenants {
    private static final String NOTHING = "nothing";
    private static final String ANY = "any";
    private static final String PREFIX = " prefix ";
    private static final BiPredicate<String, String> SAME = String::equals;

    /// Paths, image repositories and destinations: an entry that ends in a slash includes everything below
    /// it.
    private static final BiPredicate<String, String> BELOW =
            (wide, narrow) -> wide.equals(narrow) || (wide.endsWith("/") && narrow.startsWith(wide));

    /// A prefix of keys includes every longer one.
    private static final BiPredicate<String, String> SHARED =
            (wide, narrow) -> wide.equals(narrow) || (wide.contains(PREFIX) && narrow.startsWith(wide));

    private final Fleet.Sharing former;
    private final Fleet.Sharing next;
    private final List<RelaxedRule> relaxed = new ArrayList<>();

    private WidenedTenants(Fleet.Sharing former, Fleet.Sharing next) {
        this.former = former;
        this.next = next;
    }

    static List<RelaxedRule> between(Fleet.Sharing former, Fleet.Sharing next) {
        var widened = new WidenedTenants(former, next);
        widened.list("spec.images.repositories", next.imagesAt(), former.images(), next.images(), BELOW);
        if (former.tenants().isEmpty()) {
            next.tenants().forEach(widened::first);
        } else {
            widened.tenants();
        }
        return List.copyOf(widened.relaxed);
    }

    /// Without tenants, restoring other rings' data needs an approval, and the Fleet's images apply.
    private void first(Tenant tenant) {
        var field = fields(tenant);
        list(
                field.apply("backups.restoreFrom"),
                tenant.source(),
                List.of(),
                tenant.backups().restoreFrom(),
                SAME);
        list(
                field.apply("backups.destinations"),
                tenant.source(),
                List.of(),
                tenant.backups().destinations(),
                BELOW);
        tenant.pods()
                .images()
                .ifPresent(images ->
                        list(field.apply("images.repositories"), tenant.source(), former.images(), images, BELOW));
    }

    private void tenants() {
        Map<String, Tenant> before = byName(former);
        Map<String, Tenant> now = byName(next);
        before.forEach((name, tenant) -> {
            if (!now.containsKey(name)) {
                add("spec.tenants " + name, Location.ofFile(tenant.source().file()), title(tenant), NOTHING);
            }
        });
        now.forEach((name, tenant) -> Optional.ofNullable(before.get(name))
                .ifPresentOrElse(
                        had -> compare(had, tenant),
                        () -> add("spec.tenants " + name, tenant.source(), NOTHING, title(tenant))));
    }

    private static Map<String, Tenant> byName(Fleet.Sharing sharing) {
        return sharing.tenants().stream()
                .collect(Collectors.toMap(Tenant::name, Function.identity(), (a, _) -> a, TreeMap::new));
    }

    private static String title(Tenant tenant) {
        return "paths " + String.join(", ", tenant.scope().paths()) + " with namespaces "
                + tenant.scope().namespaces();
    }

    private static Function<String, String> fields(Tenant tenant) {
        return field -> "spec.tenants " + tenant.name() + " " + field;
    }

    private void compare(Tenant had, Tenant has) {
        var field = fields(has);
        var at = has.source();
        list(field.apply("paths"), at, had.scope().paths(), has.scope().paths(), BELOW);
        namespaces(field.apply("namespaces"), had, has);
        optional(
                field.apply("environments"),
                at,
                had.scope().environments(),
                has.scope().environments());
        if (!had.serviceAccount().equals(has.serviceAccount())) {
            add(
                    field.apply("serviceAccount"),
                    at,
                    had.serviceAccount().orElse(NOTHING),
                    has.serviceAccount().orElse(NOTHING));
        }
        pods(field, had, has);
        list(
                field.apply("backups.policies"),
                at,
                had.backups().policies(),
                has.backups().policies(),
                SAME);
        list(
                field.apply("backups.destinations"),
                at,
                had.backups().destinations(),
                has.backups().destinations(),
                BELOW);
        list(
                field.apply("backups.restoreFrom"),
                at,
                had.backups().restoreFrom(),
                has.backups().restoreFrom(),
                SAME);
        issuers(field.apply("issuers"), had, has);
        list(field.apply("sharedRings"), at, shared(had), shared(has), SHARED);
    }

    /// Each of them a right of its own.
    private static List<String> shared(Tenant tenant) {
        return tenant.scope().sharedRings().stream()
                .flatMap(shared -> Stream.of(
                                shared.names().stream().map(name -> " names " + name),
                                shared.prefixes().stream().map(prefix -> PREFIX + prefix),
                                shared.roles().stream().map(role -> " role " + role))
                        .flatMap(rights -> rights)
                        .map(right -> shared.ring() + right))
                .toList();
    }

    private void pods(Function<String, String> field, Tenant had, Tenant has) {
        var at = has.source();
        var before = had.pods();
        var now = has.pods();
        list(
                field.apply("images.repositories"),
                at,
                before.images().orElse(former.images()),
                now.images().orElse(next.images()),
                BELOW);
        optional(field.apply("storageClasses"), at, before.storageClasses(), now.storageClasses());
        list(field.apply("priorityClasses"), at, before.priorityClasses(), now.priorityClasses(), SAME);
        list(field.apply("nodes.tolerations"), at, before.tolerations(), now.tolerations(), SAME);
        list(field.apply("podMetadata"), at, before.metadata(), now.metadata(), SAME);
        if (!now.nodeSelector().entrySet().containsAll(before.nodeSelector().entrySet())) {
            add(
                    field.apply("nodes.selector"),
                    at,
                    before.nodeSelector().toString(),
                    now.nodeSelector().toString());
        }
    }

    private void namespaces(String setting, Tenant had, Tenant has) {
        Namespaces before = had.scope().namespaces();
        boolean inside = has.scope().namespaces().patterns().stream()
                .allMatch(pattern -> before.patterns().contains(pattern)
                        || (!pattern.text().contains("*") && before.contains(pattern.text())));
        if (!inside) {
            add(
                    setting,
                    has.source(),
                    before.toString(),
                    has.scope().namespaces().toString());
        }
    }

    /// Where none are named, only the Issuers of the ring's own namespace may be used.
    private void issuers(String setting, Tenant had, Tenant has) {
        if (has.issuers().isPresent()) {
            list(setting, has.source(), names(had), names(has), SAME);
        } else if (had.issuers().isPresent()) {
            add(setting, has.source(), join(names(had)), "Issuers of the own namespace");
        }
    }

    private static List<String> names(Tenant tenant) {
        return tenant.issuers().stream()
                .flatMap(List::stream)
                .map((Tls.IssuerRef issuer) -> issuer.kind() + " " + issuer.name())
                .toList();
    }

    /// Where none are named, all are allowed.
    private void optional(String setting, Location at, Optional<List<String>> had, Optional<List<String>> has) {
        if (had.isPresent() && has.filter(had.get()::containsAll).isEmpty()) {
            add(setting, at, join(had.get()), has.map(WidenedTenants::join).orElse(ANY));
        }
    }

    private void list(
            String setting,
            Location at,
            Collection<String> had,
            Collection<String> has,
            BiPredicate<String, String> covers) {
        if (!has.stream().allMatch(value -> had.stream().anyMatch(wide -> covers.test(wide, value)))) {
            add(setting, at, join(had), join(has));
        }
    }

    private static String join(Collection<String> values) {
        return values.isEmpty() ? NOTHING : values.stream().sorted().collect(Collectors.joining(", "));
    }

    private void add(String setting, Location at, String had, String has) {
        relaxed.add(new RelaxedRule(setting, at, had, has));
    }
}
