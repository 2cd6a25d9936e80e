package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Tls;

/// What the steps around certificates say to people.
final class TlsWording {
    private TlsWording() {}

    static String of(TlsStep step, ClusterRef ref) {
        return switch (step) {
            case TlsStep.IssueCertificates(Tls tls, var trusted) -> issuing(tls, trusted, ref);
            case TlsStep.AdvertisePeers(int ordinal, var transport) ->
                "Tell the ring that " + ref.podName(ordinal) + " is reached at "
                        + String.join(" and ", transport.peerUrls(ref, ordinal));
            case TlsStep.ProveTransport(int ordinal, var transport) ->
                "Prove by calling " + ref.podName(ordinal) + " that its ports are: " + transport.describe();
            case TlsStep.AwaitCertificates(int ordinal, var unused) ->
                "Wait until " + ref.podName(ordinal) + " shows the renewed certificates";
            case TlsStep.PrepareAuthority(int number) ->
                "Make CA " + number + " in the Secret " + ref.name() + "-ca-next; it signs nothing yet";
            case TlsStep.ProveTrust(int ordinal, var unused) ->
                "Prove by calling " + ref.podName(ordinal) + " that it lets in certificates of the new CA";
            case TlsStep.ReplaceAuthority(int number) ->
                "Put CA " + number + " into the Secret " + ref.name() + "-ca: from here on it signs";
            case TlsStep.AwaitAuthority(int ordinal, var unused) ->
                "Wait until " + ref.podName(ordinal) + " shows certificates of the new CA";
        };
    }

    private static String issuing(Tls tls, Authorities trusted, ClusterRef ref) {
        return switch (tls.issuer()) {
            case BUILT_IN ->
                "Issue what is missing of the certificates of " + ref.name()
                        + ", under the ring's own CA in the Secret " + ref.name() + "-ca"
                        + (trusted.equals(Authorities.FIRST) ? "" : "; trust in " + trusted.describe());
            case CERT_MANAGER ->
                "Have cert-manager"
                        + tls.reference()
                                .map(r -> "'s " + r.kind() + " " + r.name())
                                .orElse("") + " fill the Secrets of " + ref.name()
                        + "'s certificates, and look at them";
            case SECRET ->
                "Look at the certificates in the Secrets " + ref.name() + "-peer-tls, " + ref.name()
                        + "-server-tls and " + ref.name() + "-client-tls";
        };
    }

    static String undo(TlsStep step) {
        return switch (step) {
            case TlsStep.IssueCertificates _, TlsStep.AdvertisePeers _, TlsStep.PrepareAuthority _ -> "yes";
            case TlsStep.ReplaceAuthority _ -> "no: the former CA's key is gone; both CAs are still trusted";
            case TlsStep.ProveTransport _, TlsStep.AwaitCertificates _ -> "changes nothing";
            case TlsStep.ProveTrust _, TlsStep.AwaitAuthority _ -> "changes nothing";
        };
    }
}
