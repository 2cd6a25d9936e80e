package io.github.etcdgitops.trial.backup;

import com.exceptionfactory.jagged.x25519.X25519KeyPairGenerator;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.util.List;

/// Credential files as a pod mounts them: those that are right, two that are not, and an age identity.
public final class BackupCredentials {
    public static final String GOOD = "good";
    static final String WRONG_SECRET = "wrong-secret";
    static final String UNKNOWN_KEY = "unknown-key";

    private final KeyPair age;

    /// Every run of the trial gets them.
    public BackupCredentials(Bench bench) throws IOException {
        try {
            age = new X25519KeyPairGenerator().generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        Path folder = bench.folder().resolve("credentials");
        key(folder, GOOD, S3Proxy.KEY_ID, S3Proxy.SECRET);
        key(folder, WRONG_SECRET, S3Proxy.KEY_ID, "not-the-secret");
        key(folder, UNKNOWN_KEY, "nobodys-key-id", S3Proxy.SECRET);
        Path set = Files.createDirectories(folder.resolve("age"));
        Files.writeString(set.resolve("identity"), text(age.getPrivate()) + "\n");
        bench.tool().environment("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString());
    }

    private static void key(Path folder, String name, String id, String secret) throws IOException {
        Path set = Files.createDirectories(folder.resolve(name));
        Files.writeString(set.resolve("access-key-id"), id);
        Files.writeString(set.resolve("secret-access-key"), secret);
    }

    /// What an operator writes beside the keys of a set.
    static void allow(Bench bench, String set, String place) throws IOException {
        Path folder =
                Files.createDirectories(bench.folder().resolve("credentials").resolve(set));
        Files.writeString(folder.resolve("places"), place + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public String recipient() {
        return text(age.getPublic());
    }

    Encoded encodings() {
        return new Encoded(() -> List.of(text(age.getPrivate())));
    }

    private static String text(Key key) {
        return new String(key.getEncoded(), StandardCharsets.US_ASCII);
    }
}
