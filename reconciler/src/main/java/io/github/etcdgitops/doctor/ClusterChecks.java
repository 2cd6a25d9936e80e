package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.access.ClusterProbe.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.regex.Pattern;

/// Judges the API server.
public final class ClusterChecks {
    private static final int OLDEST = 20;
    private static final int NEWEST = 36;
    private static final Pattern VERSION = Pattern.compile("v?1\\.([0-9]{1,4})(\\D.*)?");
    private static final List<String> NEEDED = List.of("apps/v1", "coordination.k8s.io/v1", "networking.k8s.io/v1");

    private static final String OF_ACCOUNTS = "the accounts of the rings need it, not this identity";

    private ClusterChecks() {}

    static List<Check> of(ClusterFacts facts, Expected expected) {
        var chain = new CheckSequence("")
                .then(
                        "kubeconfig",
                        facts.connection(),
                        found -> found,
                        "look at --kubeconfig, --kube-context, KUBECONFIG and --member-access; kubectl config view"
                                + " shows what is there")
                .then(
                        "API server",
                        facts.server(),
                        server -> server.address() + " answers",
                        "does `kubectl version` work with the same kubeconfig? Then look at proxies and firewalls;"
                                + " otherwise at the address, the CA and the credentials in the kubeconfig")
                .judged("version", reached(facts.server()), ClusterChecks::version)
                .judged(
                        "which Kubernetes",
                        facts.uid(),
                        uid -> ClusterIdentityCheck.of(uid, expected),
                        ClusterIdentityCheck.REMEDY);
        var checks = new ArrayList<>(chain.checks());
        String because = CheckSequence.brokenIn(checks);
        boolean impersonates = !facts.accounts().isEmpty();
        checks.addAll(
                RightsChecks.of(facts.rights(), expected, impersonates && because.isEmpty() ? OF_ACCOUNTS : because));
        facts.accounts().forEach(account -> checks.add(AccountChecks.of(account)));
        checks.addAll(new CheckSequence(because)
                .judged(
                        "APIs",
                        facts.apis(),
                        ClusterChecks::apis,
                        "this address does not serve a complete Kubernetes API")
                .checks());
        checks.addAll(new CheckSequence(because)
                .judged("clock", facts.clock(), ClockSkew::check)
                .checks());
        checks.add(StorageCheck.of(facts.defaultClasses(), expected.defaultClassFor(), because));
        return List.copyOf(checks);
    }

    /// The previous check has already said why a server could not be reached.
    private static Fact<Server> reached(Fact<Server> server) {
        return server.optional().map(Fact::seen).orElseGet(Fact.Unasked::new);
    }

    private static Check version(Server server) {
        var matcher = VERSION.matcher(server.version());
        int minor = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
        return minor >= OLDEST && minor <= NEWEST
                ? new Check.Ok("version", server.version())
                : new Check.Warning(
                        "version",
                        server.version() + " is not one of 1." + OLDEST + " to 1." + NEWEST,
                        List.of("this version is not tested: start with `plan`, and with a ring that you can afford to"
                                + " lose"));
    }

    private static Check apis(SortedSet<String> served) {
        var missing = NEEDED.stream().filter(api -> !served.contains(api)).toList();
        if (!missing.isEmpty()) {
            return new Check.Failed(
                    "APIs",
                    Trouble.CONFIGURATION,
                    "not served: " + String.join(", ", missing),
                    List.of("etcd-gitops cannot do without them: is an API switched off, or is this no Kubernetes?"));
        }
        if (served.contains("policy/v1")) {
            return new Check.Ok("APIs", "policy/v1 and all others that are needed");
        }
        return served.contains("policy/v1beta1")
                ? new Check.Ok("APIs", "policy/v1beta1 (policy/v1 came with 1.21) and all others that are needed")
                : new Check.Failed(
                        "APIs",
                        Trouble.CONFIGURATION,
                        "not served: policy/v1, nor policy/v1beta1",
                        List.of("without disruption budgets no ring is safe: switch the API on"));
    }
}
