package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A ring whose document asks for a roll, and every rule that a policy can ask for: broken,
/// the roll is denied or held and the ring stays as it is; kept, or exempted, it would be done; with an
/// exemption that has expired it is not. Rules about backups and about what was changed by hand are shown on what
/// there is. Last of all two people approve it,
/// and it is done under a client.
public final class PoliciesTrial implements Trial {
    private static final String RING = "ruled";
    private static final int SIZE = 3;
    static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);

    /// In twelve hours, for an hour.
    private static final String CLOSED = "maintenance-window: {allow: [{schedule: \"0 "
            + NOW.plus(Duration.ofHours(12)).atOffset(ZoneOffset.UTC).getHour()
            + " * * *\", duration: 1h, timeZone: UTC}]}";

    private static final String FROZEN = "freeze: {until: \"" + NOW.plus(Duration.ofDays(2)) + "\", reason: the sale}";

    /// Broken, and kept, by a ring of three in the clear that nobody backs up.
    private record Rule(String name, String broken, String kept, String said) {}

    private static final List<Rule> RULES = List.of(
            new Rule("odd-members", "odd-members: {sizes: [5]}", "odd-members: {}", "size 3 is none of 5"),
            new Rule(
                    "version-allowlist",
                    "version-allowlist: {allowed: [\"<3.3.0\"]}",
                    "version-allowlist: {blocked: [{versions: \"<3.3.0\", reason: old}]}",
                    "is none of the allowed versions <3.3.0"),
            new Rule(
                    "require-tls",
                    "require-tls: {}",
                    "require-tls: {peer: false, client: plain}",
                    "members talk to each other in plain text"),
            new Rule(
                    "require-backup",
                    "require-backup: {}",
                    "secret-in-spec: {}",
                    "no BackupPolicy applies to the ring"),
            new Rule(
                    "secret-in-spec",
                    "secret-in-spec: {}",
                    "odd-members: {}",
                    "looks like a key, a token or a password"),
            new Rule("maintenance-window", CLOSED, "odd-members: {}", "no window is open; it can start on"),
            new Rule(
                    "freeze",
                    FROZEN,
                    "freeze: {until: \"" + NOW.minus(Duration.ofDays(2)) + "\", reason: the sale}",
                    "the sale"),
            new Rule(
                    "destructive-approval",
                    "destructive-approval: {operations: [RollMembers]}",
                    "destructive-approval: {operations: [ScaleIn]}",
                    "destructive-approval, policy ruling"),
            new Rule(
                    "backup-freshness",
                    "backup-freshness: {maxAge: 24h}",
                    "backup-freshness: {maxAge: 24h, minRisk: high}",
                    "no BackupPolicy applies to the ring"));

    @Override
    public String name() {
        return "policies";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        commit(bench, "A ring", "clusters/" + RING + ".yaml", document(bench, "a"));
        bench.converge(RING, SIZE);
        for (var rule : RULES) {
            boolean secret = rule.name().equals("secret-in-spec");
            commit(
                    bench,
                    "It is to be rolled",
                    "clusters/" + RING + ".yaml",
                    document(bench, secret ? "AKIAABCDEFGHIJKLMNOP" : "b"));
            ruled(bench, rule);
        }
        suspended(bench);
        expressed(bench);
        figures.timed("backedUp", () -> new LiveRules(bench, RING, SIZE).backedUp());
        new LiveRules(bench, RING, SIZE).changedByHand();
        commit(bench, "It is to be rolled", "clusters/" + RING + ".yaml", document(bench, "b"));
        var load = bench.load(RING);
        try {
            figures.timed("approvedByTwo", () -> approved(bench));
        } finally {
            Bench.demand(load.stop(), figures, "");
        }
        bench.demandNothingToDo();
        LiveRing.demandAlike(bench, RING);
    }

    private static void ruled(Bench bench, Rule rule) throws Exception {
        policy(bench, rule.broken());
        var mark = RingMark.of(bench, RING);
        stays(bench, rule);
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, RING, rule.name() + " was broken");

        boolean ofApprovals = rule.name().equals("destructive-approval");
        exemption(bench, rule.name(), NOW.plus(Duration.ofDays(20)));
        if (ofApprovals) {
            relax(bench);
        }
        goes(bench, rule.name() + " was exempted");
        exemption(bench, rule.name(), NOW.minus(Duration.ofDays(1)));
        stays(bench, rule);
        var expired = bench.tool().start("plan");
        expired.exit();
        UpgradesTrial.said(expired, " expired on");
        bench.git().remove("policies/exemption.yaml");

        policy(bench, rule.kept());
        if (ofApprovals) {
            relax(bench);
        }
        goes(bench, rule.name() + " is kept");
        if (ofApprovals) {
            // A run has to meet the approval for the new rules to hold, and must not roll the ring yet.
            policy(bench, rule.kept() + "\n    " + FROZEN);
            bench.tool().start("reconcile").exit();
        }
    }

    /// Somebody else approves that the rules about approvals ask for less. Without the reconciler's namespace no run
    /// remembers what they were.
    private static void relax(Bench bench) throws Exception {
        var plan = bench.tool().planned();
        var change = Pattern.compile("approve --rules ([0-9a-f]{16})").matcher(plan.stdout());
        if (change.find()) {
            var approval =
                    bench.tool().demand(0, "approve", "--rules", change.group(1), "--by", "owner", "--reason", "trial");
            commit(bench, "The owner approves", "approvals/owner.yaml", approval.stdout());
        }
    }

    private static void stays(Bench bench, Rule rule) throws Exception {
        var run = bench.tool().start("plan");
        int exit = run.exit();
        boolean denied = run.stdout().contains("denied by " + rule.name());
        TrialFailure.unless(
                denied
                        || run.stdout().contains("held by " + rule.name())
                        || run.stdout().contains("held by approval"),
                rule.name() + " let a roll pass: " + run.stdout());
        TrialFailure.unlessSame("the exit code of a plan by " + rule.name(), denied ? 11 : 0, exit);
        UpgradesTrial.said(run, rule.said());
        TrialFailure.unless(!run.stdout().contains("AKIA"), "a secret was printed");
    }

    static void goes(Bench bench, String why) throws Exception {
        var run = bench.tool().planned();
        UpgradesTrial.said(run, "RollMembers");
        TrialFailure.unless(
                !run.stdout().contains("denied by") && !run.stdout().contains("held by"),
                "the roll was held although " + why + ": " + run.stdout());
    }

    /// Of a suspended ring nothing is planned: what is said of it is advice.
    private static void suspended(Bench bench) throws Exception {
        policy(bench, "suspend-hygiene: {longest: 7d}");
        String until = NOW.plus(Duration.ofDays(20)).toString();
        commit(
                bench,
                "It is left alone",
                "clusters/" + RING + ".yaml",
                bench.document(
                        RING,
                        SIZE,
                        bench.options().version(),
                        "suspend: {reason: x, by: kim, until: \"" + until + "\"}\n"));
        UpgradesTrial.said(bench.tool().planned(), "more than 7d ahead");
        exemption(bench, "suspend-hygiene", NOW.plus(Duration.ofDays(20)));
        UpgradesTrial.said(bench.tool().planned(), "exempted by vendor");
        bench.git().remove("policies/exemption.yaml");
    }

    private static void expressed(Bench bench) throws Exception {
        commit(bench, "It is to be rolled", "clusters/" + RING + ".yaml", document(bench, "b"));
        commit(bench, "A rule of our own", "policies/policy.yaml", text("Policy", "ruling", """
              validations:
                - name: no-rolls
                  target: operation
                  effect: hold
                  expression: operation.kind != 'RollMembers' || operation.steps < 3
                  message: nobody rolls this ring
            """));
        var mark = RingMark.of(bench, RING);
        UpgradesTrial.said(bench.tool().planned(), "held by no-rolls");
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, RING, "an expression held it");
    }

    /// Whoever committed the document is none of the two.
    private static void approved(Bench bench) throws Exception {
        policy(bench, "destructive-approval: {operations: [RollMembers], approvers: 2}");
        var processes = new VolumeLoss(bench, RING).processesBut(SIZE);
        for (String by : List.of("trial", "kim", "lee")) {
            bench.tool().start("reconcile").exit();
            TrialFailure.unlessSame(
                    "the processes before everybody has approved it",
                    processes,
                    new VolumeLoss(bench, RING).processesBut(SIZE));
            var approval = bench.tool().demand(0, "approve", "--by", by, "--reason", "the trial wants it");
            commit(bench, by + " approves", "approvals/" + by + ".yaml", approval.stdout());
            if (!by.equals("lee")) {
                UpgradesTrial.said(bench.tool().planned(), "trial@example.org wrote the change");
            }
        }
        UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "RollMembers");
        bench.converge(RING, SIZE);
    }

    static byte[] document(Bench bench, String note) {
        return bench.document(
                RING, SIZE, bench.options().version(), "  metadata: {annotations: {example.org/note: " + note + "}}\n");
    }

    static void policy(Bench bench, String rules) throws Exception {
        commit(bench, "Rules", "policies/policy.yaml", text("Policy", "ruling", "  rules:\n    " + rules + "\n"));
    }

    static void exemption(Bench bench, String rule, Instant expires) throws Exception {
        commit(bench, "An exemption", "policies/exemption.yaml", text("PolicyExemption", "vendor", """
              rules: [%s]
              rings: [{namespace: %s, name: %s}]
              owner: the trial
              reason: the trial wants it
              ticket: T-1
              created: "%s"
              expires: "%s"
            """.formatted(
                        rule, bench.namespace(), RING, NOW.minus(Duration.ofDays(30)), expires)));
    }

    private static String text(String kind, String name, String spec) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n"
                + spec;
    }

    private static void commit(Bench bench, String message, String file, String text) throws Exception {
        commit(bench, message, file, text.getBytes(StandardCharsets.UTF_8));
    }

    static void commit(Bench bench, String message, String file, byte[] bytes) throws Exception {
        bench.git().commit(message, Map.of(file, bytes));
    }
}
