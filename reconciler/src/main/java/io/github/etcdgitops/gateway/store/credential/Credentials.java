package io.github.etcdgitops.gateway.store.credential;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.Optional;

/// Our identity at a backup location: by name from the [CredentialFolder], without a name from the
/// environment.
public final class Credentials {
    static final String KEY_ID = "access-key-id";
    static final String SECRET = "secret-access-key";

    private final CredentialFolder folder;
    private final Map<String, String> environment;

    public Credentials(Map<String, String> environment) {
        this.folder = CredentialFolder.in(environment);
        this.environment = Map.copyOf(environment);
    }

    public AccessKey requireAccessKey(Optional<String> name, String title) {
        return accessKey(name).orElseThrow(() -> missing(title, name, KEY_ID + " and " + SECRET, """
            AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\
            """));
    }

    public Optional<AccessKey> accessKey(Optional<String> name) {
        return name.isPresent() ? named(name.get()) : fromEnvironment();
    }

    private Optional<AccessKey> named(String name) {
        var id = folder.read(name, KEY_ID);
        var secret = folder.read(name, SECRET);
        if (id.isEmpty() && secret.isEmpty()) {
            return fromIni(name);
        }
        if (id.isEmpty() || secret.isEmpty()) {
            folder.require(name, id.isEmpty() ? KEY_ID : SECRET, "second half of the key");
        }
        return Optional.of(new AccessKey(
                id.orElseThrow(), secret.orElseThrow(), folder.read(name, "session-token"), Optional.empty()));
    }

    private Optional<AccessKey> fromIni(String name) {
        var region = folder.read(name, "config").map(AwsIni::defaultProfile).map(c -> c.get("region"));
        return folder.read(name, "credentials")
                .map(text -> fromIni(AwsIni.defaultProfile(text), region, folder.set(name)));
    }

    private static AccessKey fromIni(Map<String, String> profile, Optional<String> region, Path folder) {
        var id = Optional.ofNullable(profile.get("aws_access_key_id"));
        var secret = Optional.ofNullable(profile.get("aws_secret_access_key"));
        if (id.isEmpty() || secret.isEmpty()) {
            throw CredentialFolder.unusable(
                    folder.resolve("credentials"),
                    "has no aws_access_key_id and aws_secret_access_key in a section [default]");
        }
        return new AccessKey(id.get(), secret.get(), Optional.ofNullable(profile.get("aws_session_token")), region);
    }

    private Optional<AccessKey> fromEnvironment() {
        var id = variable("AWS_ACCESS_KEY_ID");
        var secret = variable("AWS_SECRET_ACCESS_KEY");
        return id.isPresent() && secret.isPresent()
                ? Optional.of(new AccessKey(id.get(), secret.get(), variable("AWS_SESSION_TOKEN"), Optional.empty()))
                : Optional.empty();
    }

    /// The CAs to trust instead of the system's, where the set has its own.
    public Optional<KeyStore> trusted(Optional<String> name) {
        return name.flatMap(n -> folder.read(n, "ca.crt")
                .map(pem -> TrustedCa.parse(pem, folder.set(n).resolve("ca.crt"))));
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private GatewayException missing(String title, Optional<String> name, String files, String variables) {
        String where = name.map(n -> "expected in " + folder.set(n) + " the file " + files
                        + "; mount the Secret that has them there, or set ETCD_GITOPS_CREDENTIALS_DIR")
                .orElse("the destination names no credential set, and " + variables + " is not set in the environment");
        return new GatewayException(Kind.UNAUTHORIZED, false, "no credentials for " + title + ": " + where);
    }
}
