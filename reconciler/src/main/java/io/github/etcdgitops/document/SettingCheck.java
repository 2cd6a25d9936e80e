package io.github.etcdgitops.document;

import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.release.TypedSetting;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether the settings below `spec.etcd` exist in the ring's version of etcd, and go together. etcd ignores a
/// setting that it does not have without a word.
record SettingCheck(Catalog catalog, YamlDocument document) {
    private static final String TRACING = "distributedTracing";
    private static final String EXTRA = "extra";

    /// HTTP/2, which etcd speaks, needs one of them.
    private static final String NEEDED = "_WITH_AES_128_GCM_SHA256";

    List<Violation> violations() {
        var version = document.text("spec", "version").flatMap(EtcdVersion::parse);
        if (version.filter(catalog::knows).isEmpty()
                || document.keys("spec", "etcd").isEmpty()) {
            return List.of();
        }
        var found = new ArrayList<Violation>();
        for (String field : document.keys("spec", "etcd")) {
            TypedSetting.of(field)
                    .map(setting -> setting.key(version.get()))
                    .or(() -> Optional.of("enable-distributed-tracing")
                            .filter(_ -> field.equals(TRACING))
                            .map(key -> TypedSetting.grown(key, version.get())))
                    .filter(key -> !catalog.hasSetting(version.get(), key))
                    .ifPresent(key -> found.add(missing(List.of("spec", "etcd", field), key, version.get())));
        }
        document.keys("spec", "etcd", EXTRA)
                .forEach(key -> extra(key, version.get()).ifPresent(found::add));
        ciphers(found);
        return found;
    }

    private Optional<Violation> extra(String key, EtcdVersion version) {
        var at = List.of("spec", "etcd", EXTRA, key);
        if (TypedSetting.reserves(key)) {
            return Optional.of(Violation.of(
                    "reserved-setting",
                    document.atKey(at),
                    "`spec.etcd.extra` has " + Shown.quoted(key)
                            + ", which etcd-gitops writes itself, or which has a field of its own.",
                    "Remove it. The fields are in docs/config-repository.md."));
        }
        return catalog.hasSetting(version, key) ? Optional.empty() : Optional.of(missing(at, key, version));
    }

    private Violation missing(List<String> at, String key, EtcdVersion version) {
        return Violation.of(
                "setting-not-in-version",
                document.atKey(at),
                "`" + Shown.path(at) + "` is etcd's setting " + key + ", which etcd " + version
                        + " does not have. etcd would ignore it.",
                Optional.ofNullable(catalog.replaced().get(key))
                        .map(instead -> "Later versions have " + instead + ".")
                        .orElse("Remove it, or ask for a version that has it."));
    }

    private void ciphers(List<Violation> found) {
        var suites = document.texts("spec", "etcd", "cipherSuites");
        var at = List.of("spec", "etcd", "cipherSuites");
        if (suites.isEmpty()) {
            return;
        }
        if (document.text("spec", "etcd", "tlsMinVersion")
                .filter("TLS1.3"::equals)
                .isPresent()) {
            found.add(Violation.of(
                    "ciphers-of-tls12",
                    document.atKey(at),
                    "`spec.etcd.cipherSuites` is about TLS 1.2, and `spec.etcd.tlsMinVersion` is TLS1.3: etcd would not"
                            + " start.",
                    "Remove one of them."));
        }
        if (suites.stream().noneMatch(suite -> suite.endsWith(NEEDED))) {
            found.add(Violation.of(
                    "ciphers-without-http2",
                    document.atKey(at),
                    "`spec.etcd.cipherSuites` has no suite that ends in " + NEEDED
                            + ": HTTP/2, which etcd speaks, needs one.",
                    "Add TLS_ECDHE_ECDSA" + NEEDED + "."));
        }
    }
}
