package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import io.github.etcdgitops.gateway.access.Permissions;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// For which namespaces each right is needed. `namespaces` are those where rings are searched; none means
/// all of them, and cluster-wide rights.
///
/// Rights to Secrets are not checked: they are granted ring by ring, by name, and a right to all Secrets
/// would be too much. A run that lacks one says which, and on which Secret.
public record AccessQuestions(List<String> namespaces, String reconcilerNamespace) {
    private static final String EVERYWHERE = "";
    private static final String ANY = "";
    private static final Set<String> OF_NO_NAMESPACE = Set.of("storageclasses", "nodes", "persistentvolumes");
    private static final Set<String> LISTED_BY_ACCOUNTS_ALONE = Set.of("events", "resourcequotas");
    private static final Set<String> LISTED_BY_ACCOUNTS = Set.of("pods", "statefulsets", "events", "resourcequotas");
    private static final Set<Need> OF_SOME_RINGS = EnumSet.of(Need.TLS, Need.AUTH, Need.CERT_MANAGER);
    private static final String KUBE_SYSTEM = "kube-system";

    public AccessQuestions {
        namespaces = List.copyOf(namespaces);
    }

    public List<AccessQuestion> all() {
        var questions = new LinkedHashSet<AccessQuestion>();
        Permissions.ALL.stream()
                .filter(p -> !OF_SOME_RINGS.contains(p.need()))
                .flatMap(this::of)
                .forEach(questions::add);
        return List.copyOf(questions);
    }

    /// What an identity still needs that impersonates accounts for the rings: finding rings, objects
    /// without a namespace, and its own records.
    public List<AccessQuestion> impersonating() {
        return all().stream()
                .filter(q -> (q.permission().verb().equals("list")
                                && !LISTED_BY_ACCOUNTS_ALONE.contains(
                                        q.permission().resource()))
                        || OF_NO_NAMESPACE.contains(q.permission().resource())
                        || (q.permission().resource().equals("namespaces")
                                && List.of(KUBE_SYSTEM, reconcilerNamespace).contains(q.namespace()))
                        || isNote(q.permission()))
                .map(q -> isNote(q.permission()) ? new AccessQuestion(q.permission(), reconcilerNamespace, ANY) : q)
                .distinct()
                .toList();
    }

    private static boolean isNote(Permission permission) {
        return permission.resource().equals("configmaps")
                && permission.need() == Need.ALWAYS
                && !permission.verb().equals("list");
    }

    /// What an account of this namespace needs for the rings there.
    public static List<AccessQuestion> ofAccount(String namespace) {
        return new AccessQuestions(List.of(namespace), namespace)
                .all().stream()
                        .filter(q -> q.namespace().equals(namespace))
                        .filter(q -> q.permission().need() != Need.PORT_FORWARD)
                        .filter(q -> !q.permission().verb().equals("list")
                                || LISTED_BY_ACCOUNTS.contains(q.permission().resource()))
                        .toList();
    }

    /// Rights that rings never need: those beyond a namespace.
    static List<AccessQuestion> excessive() {
        return List.of(
                        everywhere(new Permission(Role.EXECUTOR, "", "secrets", "", "get", Need.ALWAYS)),
                        everywhere(new Permission(Role.EXECUTOR, "apps", "statefulsets", "", "create", Need.ALWAYS)))
                .stream()
                .flatMap(question -> question)
                .toList();
    }

    private Stream<AccessQuestion> of(Permission permission) {
        if (permission.resource().equals("namespaces")) {
            return permission.verb().equals("get") ? namespaceReads(permission) : everywhere(permission);
        }
        return namespaces.isEmpty() || OF_NO_NAMESPACE.contains(permission.resource())
                ? everywhere(permission)
                : inNamespaces(permission);
    }

    /// The last accepted commit is kept in a ConfigMap beside the reconciler itself, where there may be no
    /// ring.
    private Stream<AccessQuestion> inNamespaces(Permission permission) {
        boolean watermark = isNote(permission);
        return Stream.concat(namespaces.stream(), watermark ? Stream.of(reconcilerNamespace) : Stream.of())
                .map(n -> new AccessQuestion(permission, n, ANY));
    }

    private static Stream<AccessQuestion> everywhere(Permission permission) {
        return Stream.of(new AccessQuestion(permission, EVERYWHERE, ANY));
    }

    /// A namespace is read by its name: kube-system for its UID, the reconciler's for the stop annotation,
    /// and, by the executor, that of a ring before its creation. To the API server, a namespace lies within
    /// itself.
    private Stream<AccessQuestion> namespaceReads(Permission permission) {
        var executors = new Permission(
                Role.EXECUTOR,
                permission.apiGroup(),
                permission.resource(),
                permission.subresource(),
                permission.verb(),
                permission.need());
        return Stream.concat(
                Stream.of(KUBE_SYSTEM, reconcilerNamespace).map(n -> new AccessQuestion(permission, n, n)),
                namespaces.isEmpty()
                        ? everywhere(executors)
                        : namespaces.stream().map(n -> new AccessQuestion(executors, n, n)));
    }
}
