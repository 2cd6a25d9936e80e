package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.GitFacts.Address;
import io.github.etcdgitops.doctor.fact.GitFacts.Over;
import io.github.etcdgitops.doctor.fact.GitFacts.Stage;
import io.github.etcdgitops.doctor.fact.GitFacts.Talk;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.spec.DesiredState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Judges the config repository. A connection passes through stages, so one refusal shows which stages were
/// passed before it.
final class GitChecks {
    private static final String PROOF = "`reconcile --dry-run` proves the right to push by publishing the plan";

    private GitChecks() {}

    static List<Check> of(GitFacts facts, boolean write) {
        var chain = new CheckSequence("")
                .then(
                        "address",
                        facts.address(),
                        Address::text,
                        "give --repo as a path, file:///PATH, https://HOST/PATH, ssh://HOST/PATH or user@host:path")
                .then(
                        "credentials",
                        facts.credentials(),
                        given -> given + (given.equals("none") ? " given" : ""),
                        "look at --git-ssh-key, --git-known-hosts, --git-token-file, ETCD_GITOPS_GIT_TOKEN, --git-ca,"
                                + " --git-proxy, --git-allowed-signers, --git-revoked-signers and --cache-dir");
        conversation(chain, facts);
        chain.judged("documents", facts.documents(), GitChecks::documents, "name the right repository and --ref")
                .then(
                        "environment",
                        facts.environment(),
                        name -> name,
                        "name one of the Fleet's environments with --environment")
                .then(
                        "report branch",
                        facts.branchRecord(),
                        record -> branch(facts.environment().optional().orElse(""), record),
                        "the credentials must read this branch as well as "
                                + facts.address().optional().map(Address::text).orElse("the repository"));
        var checks = new ArrayList<>(chain.checks());
        checks.add(push(facts.push(), write));
        return List.copyOf(checks);
    }

    private static void conversation(CheckSequence chain, GitFacts facts) {
        Over over = facts.address().optional().map(Address::over).orElse(Over.HTTP);
        Fact<Address> known = facts.address();
        if (over != Over.FILE) {
            chain.then("host", stage(facts, Stage.HOST), _ -> where(known) + " answers", hostRemedy(known));
            chain.then(
                    over == Over.SSH ? "host key" : "certificate",
                    stage(facts, Stage.TRUST),
                    _ -> trusted(known),
                    trustRemedy(known));
        }
        chain.then("access", stage(facts, Stage.ACCESS), _ -> "the repository can be read", accessRemedy(over));
        chain.then(
                "ref",
                stage(facts, Stage.REF),
                talk -> talk.isEmpty() ? "it is there" : talk,
                "look at what is there: git ls-remote "
                        + known.optional().map(Address::text).orElse("REPOSITORY") + "; then name it with --ref");
        if (facts.talk().optional().filter(GitChecks::asksForSignatures).isPresent()) {
            chain.then(
                    "signature",
                    stage(facts, Stage.SIGNATURE),
                    _ -> "an allowed signer has signed the commit",
                    "who made this commit, and with which key? If both are right, add the public key to the file of"
                            + " --git-allowed-signers; if not, find out how it came onto the branch");
        }
    }

    private static boolean asksForSignatures(Talk talk) {
        return switch (talk) {
            case Talk.Resolved resolved -> resolved.signed();
            case Talk.Stopped stopped -> stopped.at() == Stage.SIGNATURE;
        };
    }

    /// A stage is passed when the connection failed at a later one, or not at all.
    private static Fact<String> stage(GitFacts facts, Stage stage) {
        return switch (facts.talk()) {
            case Fact.Seen<Talk>(Talk.Resolved(String ref, String commit, boolean _)) ->
                Fact.seen(ref + " is commit " + commit);
            case Fact.Seen<Talk>(Talk.Stopped(Stage at, Trouble trouble, String reason)) -> {
                int order = stage.compareTo(at);
                yield order < 0
                        ? Fact.seen("")
                        : order == 0 ? new Fact.Unseen<>(trouble, reason) : new Fact.Unasked<>();
            }
            case Fact.Unseen<Talk>(Trouble trouble, String reason) -> new Fact.Unseen<>(trouble, reason);
            case Fact.Unasked<Talk> _ -> new Fact.Unasked<>();
        };
    }

    private static String where(Fact<Address> address) {
        return address.optional().map(a -> a.host() + ":" + a.port()).orElse("the host");
    }

    private static String hostRemedy(Fact<Address> address) {
        return "is the name right, does DNS know it, does a firewall or a proxy stand in between? Try: nc -vz "
                + address.optional().map(a -> a.host() + " " + a.port()).orElse("HOST PORT");
    }

    private static String trusted(Fact<Address> address) {
        return switch (address.optional().map(Address::over).orElse(Over.FILE)) {
            case SSH -> "the host key is in the known_hosts file";
            case HTTP ->
                address.optional().filter(a -> a.text().startsWith("http://")).isPresent()
                        ? "plain HTTP on this machine: nothing to trust"
                        : "the TLS certificate is trusted";
            case FILE -> "on this machine";
        };
    }

    private static String trustRemedy(Fact<Address> address) {
        return address.optional()
                .filter(a -> a.over() == Over.SSH)
                .map(a -> "compare the offered fingerprint with the one that the Git host publishes; only if they are"
                        + " equal: ssh-keyscan -p " + a.port() + " " + a.host() + " >> KNOWN_HOSTS_FILE")
                .orElse("put the CA that signed it into a file, in PEM, and name that with --git-ca");
    }

    private static String accessRemedy(Over over) {
        return switch (over) {
            case SSH ->
                "add the public key to the repository (ssh-keygen -y -f KEY prints it), with the right to write"
                        + " for reconcile; or the path is wrong";
            case HTTP ->
                "is the token expired, and may it read this repository (and write, for reconcile)? Or the path"
                        + " is wrong";
            case FILE -> "is the path right, may this user read it, and can the cache directory be written?";
        };
    }

    private static Check documents(DesiredState desired) {
        String rings = Count.of(desired.rings().size(), "ring");
        int violations = desired.violations().size();
        return violations == 0
                ? new Check.Ok("documents", rings + ", no violation")
                : new Check.Failed(
                        "documents",
                        Trouble.DOCUMENTS,
                        rings + ", " + Count.of(violations, "violation"),
                        List.of("`etcd-gitops validate` in a checkout of this commit names file, line and remedy"));
    }

    private static String branch(String environment, Optional<String> record) {
        String name = "etcd-gitops/reports/" + environment;
        return record.isPresent()
                ? name + " is there and has a Kubernetes on record"
                : name + " is not there yet, or has no record: the first run that publishes makes it";
    }

    private static Check push(Fact<Boolean> push, boolean write) {
        String name = "push";
        if (!write) {
            return new Check.Skipped(
                    name, "not asked: nothing is pushed here; --write-check asks the server, and " + PROOF);
        }
        return switch (push) {
            case Fact.Seen<Boolean> _ ->
                new Check.Ok(name, "the server takes pushes from us; a protected branch shows later: " + PROOF);
            case Fact.Unseen<Boolean>(Trouble trouble, String reason) ->
                new Check.Failed(
                        name,
                        trouble,
                        reason,
                        List.of("give the key or token the right to write, which reconcile needs for its report"));
            case Fact.Unasked<Boolean> _ ->
                new Check.Skipped(name, CheckSequence.because("the repository cannot be read"));
        };
    }
}
