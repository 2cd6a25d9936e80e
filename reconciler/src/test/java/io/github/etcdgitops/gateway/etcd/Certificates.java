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

    /// A certificate that names no host, for whoever only calls.
    TlsMaterial issueNameless(String caller) {
        return issued(caller);
    }

    /// A certificate for a host name, good for servers and clients alike.
    TlsMaterial issue(String host) {
        return issue(host, "dns:" + host);
    }

    /// The same for other names, as keytool takes them: `dns:*.shop.svc,ip:127.0.0.1`.
    TlsMaterial issue(String host, String names) {
        return issued(host, "-ext", "san=" + names);
    }

    private TlsMaterial issued(String host, String... extensions) {
        var options = new ArrayList<>(
                List.of("-alias", host, "-dname", "CN=" + host, "-signer", "ca", "-ext", "eku=serverAuth,clientAuth"));
        options.addAll(List.of(extensions));
        keytool(options.toArray(String[]::new));
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

    /// etcd's flags for doing so with peers, and for going to them with it.
    List<String> servePeers(TlsMaterial material) throws IOException {
        var member = material.client().orElseThrow();
        Path ca = Files.write(folder.resolve(name + "-peer-ca.pem"), material.caPem());
        Path cert = Files.write(folder.resolve(name + "-peer-cert.pem"), member.certPem());
        Path key = Files.write(folder.resolve(name + "-peer-key.pem"), member.keyPem());
        return List.of(
                "--peer-trusted-ca-file=" + ca,
                "--peer-client-cert-auth",
                "--peer-cert-file=" + cert,
                "--peer-key-file=" + key);
    }

    /// etcd's flags for serving clients that have no certificate.
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
