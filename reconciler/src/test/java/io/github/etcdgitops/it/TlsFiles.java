package io.github.etcdgitops.it;

import io.github.etcdgitops.certificate.Credential;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Certificates as files of a folder, and etcd's flags for them.
public record TlsFiles(Path folder) {
    /// For serving clients with this certificate and asking for theirs.
    public List<String> clients(Credential server, byte[] ca) {
        var flags = new ArrayList<>(anyone(server));
        flags.addAll(List.of("--trusted-ca-file=" + write("clients-ca.pem", ca), "--client-cert-auth"));
        return List.copyOf(flags);
    }

    /// The same for clients that have no certificate.
    public List<String> anyone(Credential server) {
        return List.of(
                "--cert-file=" + write("server.pem", server.certificatePem()),
                "--key-file=" + write("server-key.pem", server.keyPem()));
    }

    /// For members among themselves, with certificates on both sides.
    public List<String> peers(Credential peer, byte[] ca) {
        return List.of(
                "--peer-cert-file=" + write("peer.pem", peer.certificatePem()),
                "--peer-key-file=" + write("peer-key.pem", peer.keyPem()),
                "--peer-trusted-ca-file=" + write("peers-ca.pem", ca),
                "--peer-client-cert-auth");
    }

    private Path write(String name, byte[] content) {
        try {
            return Files.write(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
