package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings below `spec.etcd` against the ring's version.
class SettingCheckTest {
    @TempDir
    Path repository;

    private List<Violation> of(String version, String etcd) throws IOException {
        Files.createDirectories(repository.resolve("clusters"));
        Files.writeString(repository.resolve("clusters/orders.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: 3
              version: "%s"
              etcd: %s
            """.formatted(version, etcd));
        return SpecLoader.load(LocalTree.repository(repository)).violations();
    }

    @ParameterizedTest
    @CsvSource({
        "3.3.25, '{maxTxnOps: 256, extra: {max-snapshots: 7}}'",
        "3.4.45, '{compactionBatchLimit: 500, extra: {max-concurrent-streams: 1000}}'",
        "3.5.33, '{tlsMinVersion: TLS1.3, distributedTracing: {address: \"collector.tracing.svc:4317\"}}'",
        "3.5.33, '{cipherSuites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}'",
        "3.6.14, '{maxLearners: 2, extra: {experimental-warning-apply-duration: 200ms}}'",
        "3.7.1,  '{extra: {warning-apply-duration: 200ms, enable-pprof: true}}'"
    })
    void acceptsSettingsOfTheVersion(String version, String etcd) throws IOException {
        assertThat(of(version, etcd)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3.3.25 | {compactionBatchLimit: 5}           | setting-not-in-version | compactionBatchLimit",
                "3.4.45 | {tlsMinVersion: TLS1.3}             | setting-not-in-version | tls-min-version",
                "3.5.33 | {maxLearners: 2}                    | setting-not-in-version | max-learners",
                "3.4.45 | {distributedTracing: {address: a:1}} | setting-not-in-version | distributedTracing",
                "3.7.1  | {extra: {experimental-memory-mlock: true}} | setting-not-in-version | memory-mlock",
                "3.7.1  | {extra: {moon-phase: full}}         | setting-not-in-version | moon-phase",
                "3.5.33 | {extra: {data-dir: /tmp}}           | reserved-setting | data-dir",
                "3.5.33 | {extra: {initial-cluster-token: x}} | reserved-setting | initial-cluster-token",
                "3.5.33 | {extra: {quota-backend-bytes: 1}}   | reserved-setting | quota-backend-bytes",
                "3.5.33 | {extra: {unsafe-no-fsync: true}}    | reserved-setting | unsafe-no-fsync",
                "3.5.33 | {extra: {force-new-cluster: true}}  | reserved-setting | force-new-cluster",
                "3.6.14 | {extra: {feature-gates: X=true}}    | reserved-setting | feature-gates",
                "3.5.33 | {cipherSuites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]} | ciphers-without-http2 | HTTP/2",
                "3.5.33 | {extra: {metrics: [1]}}             | wrong-type | metrics"
            })
    void refusesOthersAtTheirLine(String version, String etcd, String code, String what) throws IOException {
        assertThat(of(version, etcd)).singleElement().satisfies(violation -> {
            assertThat(violation.code()).isEqualTo(code);
            assertThat(violation.at().line()).isEqualTo(7);
            assertThat(violation.message() + violation.hint().orElse("")).contains(what);
        });
    }

    @Test
    void saysWhatReplacesASetting() throws IOException {
        assertThat(of("3.7.1", "{extra: {experimental-warning-apply-duration: 200ms}}"))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.hint()).contains("Later versions have warning-apply-duration."));
    }

    @Test
    void suitesOfTls12DoNotGoWithTls13Alone() throws IOException {
        assertThat(of("3.5.33", "{tlsMinVersion: TLS1.3, cipherSuites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}"))
                .extracting(Violation::code)
                .containsExactly("ciphers-of-tls12");
    }
}
