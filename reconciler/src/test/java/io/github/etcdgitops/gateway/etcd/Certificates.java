package io.github.etcdgitops.gateway.etcd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A throw-away CA made by the JDK's keytool, and certificates of it.
record Certificates(Path folder, String name) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    static Certificates createCa(Path folder, String name) {
        var ca = new Certificates(folder, name);
        ca.keytool("-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c");
        return ca;
    }

    /// A certificate for a host name, good for servers and clients alike.
    TlsMaterial issue(String host) {
        keytool(
                "-alias",
                host,
                "-dname",
                "CN=" + host,
                "-signer",
                "ca",
                "-ext",
                "san=dns:" + host,
                "-ext",
                "eku=serverAuth,clientAuth");
        try {
            var store = KeyStore.getInstance(store().toFile(), PASSWORD);
            return new TlsMaterial(
                    pem("CERTIFICATE", store.getCertificate("ca").getEncoded()),
                    pem("CERTIFICATE", store.getCertificate(host).getEncoded()),
                    pem("PRIVATE KEY", store.getKey(host, PASSWORD).getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("keytool made nothing usable", e);
        }
    }

    /// etcd's flags for serving clients with this certificate and asking for theirs.
    List<String> serve(TlsMaterial material) throws IOException {
        Path ca = Files.write(folder.resolve(name + "-ca.pem"), material.caPem());
        var flags = new ArrayList<>(serveAnyone(material));
        flags.addAll(List.of("--trusted-ca-file=" + ca, "--client-cert-auth"));
        return List.copyOf(flags);
    }

    /// The same for clients that have no certificate.
    List<String> serveAnyone(TlsMaterial material) throws IOException {
        var server = material.client().orElseThrow();
        Path cert = Files.write(folder.resolve(name + "-cert.pem"), server.certPem());
        Path key = Files.write(folder.resolve(name + "-key.pem"), server.keyPem());
        return List.of("--cert-file=" + cert, "--key-file=" + key);
    }

    private Path store() {
        return folder.resolve(name + ".p12");
    }

    private void keytool(String... options) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store().toString(),
                "-storepass",
                new String(PASSWORD)));
        command.addAll(List.of(options));
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("keytool.log").toFile())
                    .start();
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("keytool.log")));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] pem(String type, byte[] der) {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return ("-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
