package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;

/// Handles certificates, peer URLs, and the proof that a member is reachable only as configured.
public final class TlsSteps implements StepHandler<TlsStep> {
    private final StepContext context;
    private final Issuance issuance;
    private final WireProof proof;
    private final AuthoritySteps authority;

    public TlsSteps(StepContext context) {
        this.context = context;
        this.issuance = new Issuance(context);
        this.proof = new WireProof(context);
        this.authority = new AuthoritySteps(context);
    }

    @Override
    public Optional<String> alreadySo(TlsStep step) {
        return switch (step) {
            case TlsStep.IssueCertificates _, TlsStep.ProveTransport _, TlsStep.AwaitCertificates _ -> Optional.empty();
            case TlsStep.PrepareAuthority _, TlsStep.ReplaceAuthority _ -> Optional.empty();
            case TlsStep.ProveTrust _, TlsStep.AwaitAuthority _ -> Optional.empty();
            case TlsStep.AdvertisePeers(int ordinal, var transport) -> advertised(ordinal, transport);
        };
    }

    @Override
    public StepResult act(TlsStep step) {
        return switch (step) {
            case TlsStep.IssueCertificates(var tls, var trusted, boolean root) -> issuance.issue(tls, trusted, root);
            case TlsStep.AdvertisePeers(int ordinal, var transport) -> advertise(ordinal, transport, step.deadline());
            case TlsStep.ProveTransport(int ordinal, var transport) -> proof.of(ordinal, transport, step.deadline());
            case TlsStep.AwaitCertificates(int ordinal, var transport) -> renewed(ordinal, transport, step.deadline());
            case TlsStep.PrepareAuthority _ -> authority.prepare();
            case TlsStep.ReplaceAuthority _ -> authority.replace();
            case TlsStep.ProveTrust(int ordinal, var transport) ->
                authority.trusts(ordinal, transport, step.deadline());
            case TlsStep.AwaitAuthority(int ordinal, var transport) ->
                authority.shows(ordinal, transport, step.deadline());
        };
    }

    private Optional<String> advertised(int ordinal, Transport transport) {
        var wanted = new HashSet<>(transport.peerUrls(context.ref(), ordinal));
        return context.member(ordinal)
                .filter(m -> wanted.equals(new HashSet<>(m.peerUrls())))
                .map(_ -> "all members already report it");
    }

    /// Done when every member that answers has it in its list: each reading compares them.
    private StepResult advertise(int ordinal, Transport transport, Duration deadline) {
        var member = context.member(ordinal).map(MemberState::id);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        var urls = transport.peerUrls(context.ref(), ordinal);
        return context.retry(
                deadline,
                () -> advertised(ordinal, transport).isPresent(),
                () -> context.calls()
                        .throughLeader(
                                (etcd, route) -> etcd.updatePeerUrls(route, member.get(), urls, StepContext.CALL)));
    }

    private StepResult renewed(int ordinal, Transport transport, Duration deadline) {
        var end = context.journal().past().certificates().orElseThrow().first().end();
        new Mounts(context).renew(ordinal, "certificates until " + end);
        return context.until(
                deadline, () -> proof.endsBefore(ordinal, transport, end), () -> "certificates until " + end);
    }
}
