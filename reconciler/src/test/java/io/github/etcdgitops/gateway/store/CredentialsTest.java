package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.credential.AccessKey;
import io.github.etcdgitops.gateway.store.credential.AgeIdentities;
import io.github.etcdgitops.gateway.store.credential.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    private static final Optional<String> NAME = Optional.of("team-a");

    @TempDir
    private Path folder;

    private Credentials credentials() {
        return new Credentials(Map.of("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString()));
    }

    private void file(String name, String content) throws IOException {
        Files.createDirectories(folder.resolve("team-a"));
        Files.writeString(folder.resolve("team-a").resolve(name), content);
    }

    private static GatewayException refused(ThrowingCallable call) {
        var refused = catchThrowableOfType(GatewayException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
        return refused;
    }

    @Test
    void readsKeyFilesWithoutTrailingNewline() throws IOException {
        file("access-key-id", "AKIA1\n");
        file("secret-access-key", "s3cret\n");
        file("session-token", "t0ken\n");

        assertThat(credentials().accessKey(NAME))
                .contains(new AccessKey("AKIA1", "s3cret", Optional.of("t0ken"), Optional.empty()));
    }

    @Test
    void readsReplacedKeyAgain() throws IOException {
        file("access-key-id", "AKIA1");
        file("secret-access-key", "old");
        var credentials = credentials();
        credentials.accessKey(NAME);

        file("secret-access-key", "new");

        assertThat(credentials.accessKey(NAME)).map(AccessKey::secret).contains("new");
    }

    @Test
    void readsAwsCredentialsAndConfigFiles() throws IOException {
        file("credentials", """
            [other]
            aws_access_key_id = WRONG
            [default]
            # by hand
            aws_access_key_id = AKIA2
            aws_secret_access_key=s3cret=with/equals
            """);
        file("config", """
            [default]
            region = eu-central-1
            """);

        assertThat(credentials().accessKey(NAME))
                .contains(new AccessKey("AKIA2", "s3cret=with/equals", Optional.empty(), Optional.of("eu-central-1")));
    }

    @Test
    void withoutANameTheEnvironmentCounts() {
        var environment = Map.of("AWS_ACCESS_KEY_ID", "AKIA3", "AWS_SECRET_ACCESS_KEY", "s3cret");

        assertThat(new Credentials(environment).accessKey(Optional.empty()))
                .contains(new AccessKey("AKIA3", "s3cret", Optional.empty(), Optional.empty()));
        assertThat(new Credentials(environment).accessKey(NAME)).isEmpty();
    }

    @Test
    void namesMissingCredentialFile() throws IOException {
        assertThat(refused(() -> credentials().requireAccessKey(NAME, "s3://a/")))
                .hasMessageContaining(folder + "/team-a")
                .hasMessageContaining("access-key-id and secret-access-key")
                .hasMessageContaining("s3://a/");
        assertThat(refused(() -> credentials().requireAccessKey(Optional.empty(), "s3://a/")))
                .hasMessageContaining("AWS_ACCESS_KEY_ID");
        file("access-key-id", "AKIA1");
        assertThat(refused(() -> credentials().requireAccessKey(NAME, "s3://a/")))
                .hasMessageContaining(folder + "/team-a/secret-access-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../other", "a/b", "/etc", "A", "a..b", ".hidden"})
    void refusesUnsafeCredentialSetName(String name) {
        refused(() -> credentials().accessKey(Optional.of(name)));
    }

    @Test
    void namesBrokenFileAndNeverQuotesIt() throws IOException {
        file("credentials", "[default]\naws_secret_access_key = SECRET\n");
        assertThat(refused(() -> credentials().accessKey(NAME))).hasMessageNotContaining("SECRET");
        file("ca.crt", "SECRET");
        assertThat(refused(() -> credentials().trusted(NAME))).hasMessageContaining("ca.crt");
    }

    @Test
    void printsNoSecret() throws IOException {
        var key = new AccessKey("AKIA1", "s3cret", Optional.of("t0ken"), Optional.empty());

        assertThat(key.toString()).doesNotContain("s3cret", "t0ken");
    }

    @Test
    void identitiesAreTheLinesThatAreNoComments() throws IOException {
        Files.createDirectories(folder.resolve("age"));
        var identities = new AgeIdentities(Map.of("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString()));
        assertThat(refused(identities::get)).hasMessageContaining(folder + "/age/identity");

        Files.writeString(folder.resolve("age/identity"), "# created: today\nONE\n\n TWO \n");

        assertThat(identities.get()).containsExactly("ONE", "TWO");
    }
}
