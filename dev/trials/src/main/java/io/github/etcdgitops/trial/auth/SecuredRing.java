package io.github.etcdgitops.trial.auth;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.TlsTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The life of a ring with TLS whose users come later. A user who may only read is refused by etcd where it writes,
/// one without roles everywhere, and a former password too.
record SecuredRing(RingWithUsers ring, int size, Figures figures) {
    private static final String RESTARTED = "etcd: {snapshotCount: 20000}\n";

    void live() throws Exception {
        commit("founded", size, "");
        ring.atRest();
        var load = ring.bench().load(ring.name(), () -> true);
        try {
            enabled();
            changed();
            otherPasswords();
            new HandChanges(ring, this::again).live();
            refused();
            again("grows", size + 2, "");
            again("shrinks", size, "");
            again("restarts", size, RESTARTED);
            disabled();
            TlsTrial.more(load);
        } finally {
            Bench.demand(load.stop(), figures, ring.name() + ".");
        }
        ring.erase();
    }

    private void enabled() throws Exception {
        commit("gets users", size, users("[reader]", 1));
        ring.planned("EnableAuth");
        ring.atRest();
        var report = ring.user("report");
        report.demandReads("load/x");
        report.demandNoRead("other/x");
        report.demandNoWrite("load/x");
        ring.user("idle").demandNoRead("load/x");
    }

    private void changed() throws Exception {
        commit("lets report write", size, users("[reader, writer]", 1));
        ring.planned("SyncUsers");
        ring.atRest();
        ring.user("report").demandWrites("load/y");
        commit("lets report only read", size, users("[reader]", 1));
        ring.atRest();
        ring.user("report").demandNoWrite("load/y");
    }

    private void otherPasswords() throws Exception {
        var report = ring.user("report");
        var root = ring.root();
        report.demandReads("load/x");
        root.demandSignsIn();
        commit("changes passwords", size, users("[reader]", 2));
        ring.planned("RotatePasswords");
        ring.atRest();
        report.demandNoSignIn();
        root.demandNoSignIn();
        ring.user("report").demandReads("load/x");
        ring.root().demandReads("other/x");
    }

    /// Who gets no access changes nothing in the ring.
    private void refused() throws Exception {
        var bench = ring.bench();
        var processes = new VolumeLoss(bench, ring.name()).processesBut(-1);
        UserClient.withPassword(bench, ring.name(), "report", "a guess").demandNoSignIn();
        UserClient.withPassword(bench, ring.name(), "nobody", "a guess").demandNoSignIn();
        var audit = UserClient.withCertificate(bench, ring.name(), "audit");
        audit.demandReads("load/x");
        audit.demandNoWrite("load/x");
        var stranger = UserClient.withCertificate(bench, ring.name(), "stranger");
        stranger.demandNoRead("load/x");
        stranger.demandNoWrite("load/x");
        ring.user("idle").demandNoWrite("load/x");
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the processes", processes, new VolumeLoss(bench, ring.name()).processesBut(-1));
    }

    private void disabled() throws Exception {
        var bench = ring.bench();
        commit("is open again", size, "auth: {enabled: false}\n" + RESTARTED);
        byte[] approval = bench.tool()
                .demand(0, "approve", "--by", "the trial", "--reason", "it was a trial")
                .stdout()
                .getBytes(StandardCharsets.UTF_8);
        bench.git().commit(ring.name() + " may be open", Map.of("approvals/" + ring.name() + ".yaml", approval));
        ring.atRest();
        UserClient.withoutUser(bench, ring.name()).demandWrites("other/x");
        bench.git().remove("approvals/" + ring.name() + ".yaml");
    }

    private void again(String why, String more) throws Exception {
        again(why, size, more);
    }

    private void again(String why, int members, String more) throws Exception {
        commit(why, members, users("[reader]", 2) + more);
        ring.atRest();
    }

    private void commit(String why, int members, String more) throws Exception {
        ring.commit(why, members, TlsTrial.BOTH_MUTUAL + more);
    }

    /// `number` is that of the passwords of report and of root.
    private String users(String roles, int number) {
        return """
            auth:
              root: {password: {number: %3$d}}
              roles:
                - name: reader
                  grants: [{prefix: load/, access: read}]
                - name: writer
                  grants: [{prefix: load/, access: readwrite}]
              users:
                - {name: %1$s, roles: [writer], certificate: true}
                - {name: audit-client, roles: [reader], certificate: true}
                - {name: report, roles: %2$s, password: {generate: true, number: %3$d}}
                - {name: idle, password: {generate: true}}
            """.formatted(ring.client(), roles, number);
    }
}
