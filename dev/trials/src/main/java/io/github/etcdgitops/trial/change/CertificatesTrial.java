package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
/// New rings begin with TLS on every version, and one that cannot take its clients there is upgraded on
/// the way; certificates end.

public final class CertificatesTrial implements Trial {
    @Override
    public String name() {
        return "certificates";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        TlsVersions.run(bench, figures);
        CertificatesEnd.run(bench, figures);
    }
}
