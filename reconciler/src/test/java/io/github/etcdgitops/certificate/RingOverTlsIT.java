package io.github.etcdgitops.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.gateway.etcd.TlsMaterial;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.TlsFiles;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Real members that ask each other and their clients for certificates, with what this package makes.
class RingOverTlsIT {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Instant NOW = Instant.now();
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Authority ca = Authority.create(REF, NOW, DAY);

    @TempDir
    private Path folder;

    private Optional<EtcdRing> started = Optional.empty();

    @AfterEach
    void stop() {
        started.ifPresent(EtcdRing::close);
    }

    private EtcdRing start(String version, int voters) {
        var files = new TlsFiles(folder);
        var flags = new ArrayList<String>();
        flags.addAll(files.peers(ca.issue(Leaf.PEER, REF, NOW, DAY), ca.certificatePem()));
        flags.addAll(files.clients(ca.issue(Leaf.SERVER, REF, NOW, DAY), ca.certificatePem()));
        var ring = EtcdRing.start(EtcdBinaries.require(version), voters, flags);
        started = Optional.of(ring);
        return ring;
    }

    private JetcdGateway gateway(Credential client) {
        var material = new TlsMaterial(ca.certificatePem(), client.certificatePem(), client.keyPem());
        return new JetcdGateway(_ -> Optional.of(material));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16", "3.5.30"})
    void threeMembersAndTheirClientTrustEachOther(String version) {
        var ring = start(version, 3);
        var gateway = gateway(ca.issue(Leaf.CLIENT, REF, NOW, DAY));

        for (int ordinal = 0; ordinal < 3; ordinal++) {
            var route = ring.member(ordinal).route(REF.memberHost(ordinal));
            assertThat(gateway.probe(route, LIMIT).members())
                    .hasSize(3)
                    .allSatisfy(member -> assertThat(member.peerUrls()).allMatch(url -> url.startsWith("https://")));
            assertThat(gateway.countKeys(route, 0, LIMIT)).isZero();
        }
    }

    @Test
    void clientConnectsWithConvertedTraditionalKey() throws Exception {
        var ring = start("3.5.16", 1);
        var client = ca.issue(Leaf.CLIENT, REF, NOW, DAY);
        var traditional = new Credential(client.certificatePem(), traditional(client.keyPem()));

        assertThat(CertificateCheck.problems(Leaf.CLIENT, REF, traditional, ca.certificatePem(), NOW))
                .isEmpty();
        assertThat(gateway(traditional.inPkcs8())
                        .probe(ring.member(0).route(REF.memberHost(0)), LIMIT)
                        .members())
                .hasSize(1);
    }

    private static byte[] traditional(byte[] pkcs8) throws Exception {
        var text = new StringWriter();
        try (var parser = new PEMParser(new StringReader(new String(pkcs8, StandardCharsets.US_ASCII)));
                var writer = new PemWriter(text)) {
            var info = (PrivateKeyInfo) parser.readObject();
            var curve = info.getPrivateKeyAlgorithm().getParameters();
            var own = org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(info.parsePrivateKey());
            var key = new org.bouncycastle.asn1.sec.ECPrivateKey(256, own.getKey(), curve);
            writer.writeObject(new PemObject("EC PRIVATE KEY", key.getEncoded()));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void refusesClientCertificateOfAnotherCa() {
        var ring = start("3.5.16", 1);
        var stranger = Authority.create(REF, NOW, DAY).issue(Leaf.CLIENT, REF, NOW, DAY);
        var route = ring.member(0).route(REF.memberHost(0));

        var refused = catchThrowableOfType(
                GatewayException.class, () -> gateway(stranger).probe(route, LIMIT));

        assertThat(refused.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED);
    }
}
