package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Tls;

/// What the steps around certificates say to people.
final class TlsWording {
    private TlsWording() {}

    static String of(TlsStep step, ClusterRef ref) {
        return switch (step) {
            case TlsStep.IssueCertificates(Tls tls) -> issuing(tls, ref);
            case TlsStep.AdvertisePeers(int ordinal, var transport) ->
                "Tell the ring that " + ref.podName(ordinal) + " is reached at "
                        + String.join(" and ", transport.peerUrls(ref, ordinal));
            case TlsStep.ProveTransport(int ordinal, var transport) ->
                "Prove by calling " + ref.podName(ordinal) + " that its ports are: " + transport.describe();
            case TlsStep.AwaitCertificates(int ordinal, var unused) ->
                "Wait until " + ref.podName(ordinal) + " shows the renewed certificates";
        };
    }

    private static String issuing(Tls tls, ClusterRef ref) {
        return switch (tls.issuer()) {
            case BUILT_IN ->
                "Issue what is missing of the certificates of " + ref.name()
                        + ", under the ring's own CA in the Secret " + ref.name() + "-ca";
            case SECRET, CERT_MANAGER ->
                "Look at the certificates in the Secrets " + ref.name() + "-peer-tls, " + ref.name()
                        + "-server-tls and " + ref.name() + "-client-tls";
        };
    }

    static String undo(TlsStep step) {
        return switch (step) {
            case TlsStep.IssueCertificates _, TlsStep.AdvertisePeers _ -> "yes";
            case TlsStep.ProveTransport _, TlsStep.AwaitCertificates _ -> "changes nothing";
        };
    }
}
