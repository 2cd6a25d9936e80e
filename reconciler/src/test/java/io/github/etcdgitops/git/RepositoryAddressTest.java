package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.repository.RepositoryAddress.Scheme;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryAddressTest {
    private static final Path HERE = Path.of("/here");

    @ParameterizedTest
    @CsvSource({
        "https://git.example.org/team/fleet.git, https://git.example.org/team/fleet.git",
        "HTTPS://Git.Example.Org:8443/team/fleet, https://git.example.org:8443/team/fleet",
        "http://127.0.0.1:3000/fleet, http://127.0.0.1:3000/fleet",
        "http://[::1]:3000/fleet, http://[::1]:3000/fleet",
        "ssh://git@git.example.org:2222/team/fleet.git, ssh://git@git.example.org:2222/team/fleet.git",
        "git@git.example.org:team/fleet.git, ssh://git@git.example.org/team/fleet.git",
        "git.example.org:/srv/fleet.git, ssh://git.example.org/srv/fleet.git",
        "file:///srv/git/fleet.git, /srv/git/fleet.git",
        "file://localhost/srv/fleet, /srv/fleet",
        "file:///srv/my%20fleet+1, /srv/my fleet+1",
        "/srv/fleet/../other, /srv/other",
        "fleet, /here/fleet",
        "./a:b, /here/a:b",
        ".., /",
    })
    void understandsTheUsualForms(String text, String shown) {
        assertThat(RepositoryAddress.parse(text, HERE)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://somebody:s3cr3t-t0ken@git.example.org/fleet",
                "https://s3cr3t-t0ken@git.example.org/fleet",
                "https://a:b@s3cr3t-t0ken@git.example.org/fleet",
                "https://git.example.org/fleet?token=s3cr3t-t0ken",
                "https://git.example.org/fleet#s3cr3t-t0ken",
                "ssh://git:s3cr3t-t0ken@git.example.org/fleet",
                "ftp://somebody:s3cr3t-t0ken@git.example.org/fleet",
            })
    void refusesACredentialInTheAddressWithoutRepeatingIt(String text) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> RepositoryAddress.parse(text, HERE))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_ADDRESS))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cr3t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "git://git.example.org/fleet",
                "ext::sh -c touch% /tmp/x",
                "https://",
                "https:///fleet",
                "https://git.example.org",
                "https://git.example.org/",
                "https://-oProxyCommand=x/fleet",
                "ssh://-oProxyCommand=x/fleet",
                "ssh://-x@git.example.org/fleet",
                "-oProxyCommand=x:fleet",
                "https://git.example.org:0/fleet",
                "https://git.example.org:99999/fleet",
                "https://git.exam ple.org/fleet",
                "file://server/share",
                "file://",
                "file:///a%zz",
                "/srv/fle\u0007et",
            })
    void refusesWhatIsNotAnAddress(String text) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> RepositoryAddress.parse(text, HERE))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_ADDRESS));
    }

    @Test
    void givesSpellingsOfOneRepositoryOneKey() {
        var keys = Stream.of(
                        "git@git.example.org:team/fleet.git",
                        "ssh://git.example.org/team/fleet",
                        "ssh://deploy@GIT.example.org:22/team/fleet.git/")
                .map(a -> RepositoryAddress.parse(a, HERE).key())
                .distinct();

        assertThat(keys).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost/x, true",
        "http://127.0.0.1/x, true",
        "http://127.9.8.7/x, true",
        "http://[::1]/x, true",
        "http://127.0.0.1.example.org/x, false",
        "http://localhost.example.org/x, false",
        "http://10.0.0.1/x, false",
    })
    void knowsLoopbackByItsNameAlone(String text, boolean loopback) {
        assertThat(RepositoryAddress.parse(text, HERE).isLoopback()).isEqualTo(loopback);
    }

    @Test
    void keepsTheUserOfAnSshAddress() {
        var address = RepositoryAddress.parse("git@git.example.org:fleet", HERE);

        assertThat(address.scheme()).isEqualTo(Scheme.SSH);
        assertThat(address.user()).isEqualTo(Optional.of("git"));
    }
}
