package io.github.etcdgitops.trial.auth;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.TlsTrial;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Authentication is enabled on a running ring, users are changed twice, passwords too, the ring is resized and
/// its members restart, and authentication is disabled again. A client whose certificate is that of a user writes
/// all the time. A user who may only read is refused by etcd where it writes, and one without roles everywhere.
public final class UsersTrial implements Trial {
    private static final int MOST_RUNS = 6;

    @Override
    public String name() {
        return "users";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            new LivingRing(bench, "users" + size, size, figures).live();
        }
        plain(bench, figures);
    }

    private record LivingRing(Bench bench, String ring, int size, Figures figures) {
        void live() throws Exception {
            commit("founded", size, "");
            atRest();
            var load = bench.load(ring, () -> true);
            try {
                enabled();
                changed();
                otherPassword();
                commit("grows", size + 2, users("[reader]", 2));
                atRest();
                commit("shrinks", size, users("[reader]", 2));
                atRest();
                commit("restarts", size, users("[reader]", 2) + "etcd: {snapshotCount: 20000}\n");
                atRest();
                disabled();
                TlsTrial.more(load);
            } finally {
                Bench.demand(load.stop(), figures, ring + ".");
            }
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }

        private void enabled() throws Exception {
            commit("gets users", size, users("[reader]", 1));
            planned("EnableAuth");
            atRest();
            var report = UserClient.of(bench, ring, "report");
            report.demandReads("load/x");
            report.demandNoRead("other/x");
            report.demandNoWrite("load/x");
            UserClient.of(bench, ring, "idle").demandNoRead("load/x");
        }

        private void changed() throws Exception {
            commit("lets report write", size, users("[reader, writer]", 1));
            planned("SyncUsers");
            atRest();
            UserClient.of(bench, ring, "report").demandWrites("load/y");
            commit("lets report only read", size, users("[reader]", 1));
            atRest();
            UserClient.of(bench, ring, "report").demandNoWrite("load/y");
        }

        private void otherPassword() throws Exception {
            var former = UserClient.of(bench, ring, "report");
            former.demandReads("load/x");
            commit("changes a password", size, users("[reader]", 2));
            planned("RotatePasswords");
            atRest();
            former.demandNoRead("load/x");
            UserClient.of(bench, ring, "report").demandReads("load/x");
        }

        private void disabled() throws Exception {
            commit("is open again", size, "auth: {enabled: false}\netcd: {snapshotCount: 20000}\n");
            byte[] approval = bench.tool()
                    .demand(0, "approve", "--by", "the trial", "--reason", "it was a trial")
                    .stdout()
                    .getBytes(StandardCharsets.UTF_8);
            bench.git().commit(ring + " may be open", Map.of("approvals/" + ring + ".yaml", approval));
            atRest();
            UserClient.withoutUser(bench, ring).demandWrites("other/x");
            bench.git().remove("approvals/" + ring + ".yaml");
        }

        private String users(String roles, int number) {
            return UsersTrial.users(ring + "-client", roles, number);
        }

        private void commit(String why, int members, String more) throws Exception {
            bench.git()
                    .commit(
                            ring + " " + why,
                            Map.of(
                                    "clusters/" + ring + ".yaml",
                                    bench.document(
                                            ring, members, bench.options().version(), TlsTrial.BOTH_MUTUAL + more)));
        }

        private void planned(String kind) throws Exception {
            var plan = Plans.ring(bench.tool().planned("-o", "json").stdout(), bench.namespace(), ring);
            TrialFailure.unless(
                    Plans.operations(plan, kind).size() == 1,
                    "the plan has no " + kind + ": " + plan.path("operations"));
        }

        private void atRest() throws Exception {
            UsersTrial.atRest(bench, ring);
        }
    }

    private static String users(String writer, String roles, int number) {
        return """
            auth:
              roles:
                - name: reader
                  grants: [{prefix: load/, access: read}]
                - name: writer
                  grants: [{prefix: load/, access: readwrite}]
              users:
                - {name: %s, roles: [writer], certificate: true}
                - {name: report, roles: %s, password: {generate: true, number: %d}}
                - {name: idle, password: {generate: true}}
            """.formatted(writer, roles, number);
    }

    /// In plain text every user has a password.
    private static void plain(Bench bench, Figures figures) throws Exception {
        String ring = "plain";
        String version = bench.options().version();
        bench.git().commit(ring, Map.of("clusters/plain.yaml", bench.document(ring, 3, version, "")));
        atRest(bench, ring);
        UserClient.withoutUser(bench, ring).demandWrites("load/x");
        String users = """
            auth:
              roles:
                - name: writer
                  grants: [{prefix: load/, access: readwrite}]
              users:
                - {name: shop, roles: [writer], password: {generate: true}}
            """;
        bench.git()
                .commit(ring + " gets users", Map.of("clusters/plain.yaml", bench.document(ring, 3, version, users)));
        atRest(bench, ring);
        UserClient.withoutUser(bench, ring).demandNoRead("load/x");
        UserClient.of(bench, ring, "shop").demandWrites("load/x");
        UserClient.of(bench, ring, "shop").demandNoWrite("other/x");
        bench.git().commit(ring + " grows", Map.of("clusters/plain.yaml", bench.document(ring, 5, version, users)));
        atRest(bench, ring);
        UserClient.of(bench, ring, "shop").demandReads("load/x");
        figures.put("plain.size", 5);
        signed(bench, ring, users);
        bench.git().remove("clusters/plain.yaml");
        bench.erase(ring);
    }

    /// Members sign tokens with a key, and then with another one of another kind. In plain text we have a token too.
    private static void signed(Bench bench, String ring, String users) throws Exception {
        for (var key : List.of(new TokenSecret("RSA", 2048, "RS256"), new TokenSecret("EC", 256, "ES256"))) {
            key.make(bench, ring);
            byte[] document = bench.document(ring, 5, bench.options().version(), users + key.field(ring));
            bench.git().commit(ring + " signs tokens by " + key.method(), Map.of("clusters/plain.yaml", document));
            atRest(bench, ring);
            UserClient.of(bench, ring, "shop").demandReads("load/x");
            UserClient.of(bench, ring, "shop").demandNoRead("other/x");
        }
        byte[] fewer = bench.document(ring, 3, bench.options().version(), users);
        bench.git().commit(ring + " shrinks, without a key", Map.of("clusters/plain.yaml", fewer));
        atRest(bench, ring);
        UserClient.of(bench, ring, "shop").demandReads("load/x");
    }

    /// Runs until the plan has nothing to do. A member tells its list to no client without a user, so that only
    /// the plan says so.
    private static void atRest(Bench bench, String ring) throws Exception {
        for (int run = 0; run < MOST_RUNS; run++) {
            var last = bench.tool().start("reconcile");
            int exit = last.exit();
            TrialFailure.unless(
                    List.of(0, 12, 20, 75).contains(exit), ring + ": a run ended with " + exit + ": " + last.tail());
            if (exit == 0 && bench.tool().start("plan", "--detailed-exitcode").exit() == 0) {
                return;
            }
        }
        throw new TrialFailure(ring + " is not as its document says after " + MOST_RUNS + " runs");
    }
}
