package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.LocalRepository;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.net.Proxy;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnectionFactory;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.eclipse.jgit.transport.sshd.SshdSessionFactoryBuilder;

/// Opens connections to one address, as safely as the address allows: no answer of a server, and no file in
/// the user's home directory, changes the server or what is sent to it.
final class Connections implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final RepositoryAddress address;
    private final GitAccess access;
    private final URIish uri;
    private final Optional<KnownHosts> knownHosts;
    private final Optional<SshdSessionFactory> ssh;
    private final Optional<TrustManager[]> authorities;

    Connections(RepositoryAddress address, GitAccess access, Path nobodysHome) {
        this.address = address;
        this.access = access;
        if (address.scheme() == RepositoryAddress.Scheme.HTTP && !address.isLoopback() && !access.allowPlainHttp()) {
            throw new GitException(
                    Kind.INVALID_ADDRESS,
                    address + " is not encrypted: use https:// or ssh://; plain http works only for this host");
        }
        if (address.scheme() == RepositoryAddress.Scheme.SSH) {
            Path key = readable(access.sshKey(), "a private key");
            Path hosts = readable(access.knownHosts(), "a known_hosts file");
            var keys = new KnownHosts(hosts);
            knownHosts = Optional.of(keys);
            ssh = Optional.of(sessions(key, keys, nobodysHome));
        } else {
            knownHosts = Optional.empty();
            ssh = Optional.empty();
        }
        authorities = access.ca().map(Authorities::read);
        uri = uri(address);
    }

    private Path readable(Optional<Path> file, String what) {
        if (file.isEmpty()) {
            throw new GitException(Kind.INVALID_ADDRESS, address + " needs " + what + ", and none is given");
        }
        if (!Files.isReadable(file.get()) || Files.isDirectory(file.get())) {
            throw new GitException(Kind.INVALID_ADDRESS, what + " for " + address + " cannot be read: " + file.get());
        }
        return file.get();
    }

    private static SshdSessionFactory sessions(Path key, KnownHosts keys, Path nobodysHome) {
        return new SshdSessionFactoryBuilder()
                .setHomeDirectory(nobodysHome.toFile())
                .setSshDirectory(nobodysHome.resolve("ssh").toFile())
                .setConfigStoreFactory((_, _, _) -> null)
                .setDefaultIdentities(_ -> List.of(key))
                .setDefaultKnownHostsFiles(_ -> List.of())
                .setServerKeyDatabase((_, _) -> keys)
                .setPreferredAuthentications("publickey")
                .build(null);
    }

    private static URIish uri(RepositoryAddress address) {
        if (address.isLocal()) {
            Path gitDir =
                    LocalRepository.find(Path.of(address.path())).requireSha1().gitDir();
            return new URIish().setScheme("file").setPath(gitDir.toString());
        }
        try {
            return new URIish(address.toString());
        } catch (URISyntaxException e) {
            throw new GitException(Kind.INVALID_ADDRESS, "the repository address cannot be understood", e);
        }
    }

    Transport open(Repository local) throws NotSupportedException, TransportException {
        Transport transport = Transport.open(local, uri);
        transport.setTimeout((int) SILENCE.toSeconds());
        transport.setCredentialsProvider(new TokenProvider(address, access));
        if (transport instanceof TransportHttp http) {
            http.setHttpConnectionFactory(new SameOrigin(
                    address, authorities, access.proxy().map(HttpProxy::proxy).orElse(Proxy.NO_PROXY)));
        }
        if (transport instanceof SshTransport overSsh) {
            overSsh.setSshSessionFactory(ssh.orElseThrow());
        }
        return transport;
    }

    Optional<String> hostKeyRefused() {
        return knownHosts.flatMap(KnownHosts::refused);
    }

    @Override
    public void close() {
        ssh.ifPresent(SshdSessionFactory::close);
    }

    /// Follows a redirect within the server, such as that of a renamed repository, and no other: the token
    /// must not go to another host.
    private static final class SameOrigin implements HttpConnectionFactory {
        private final JDKHttpConnectionFactory connections = new JDKHttpConnectionFactory();
        private final RepositoryAddress address;
        private final Optional<TrustManager[]> authorities;
        private final Proxy ours;

        SameOrigin(RepositoryAddress address, Optional<TrustManager[]> authorities, Proxy ours) {
            this.address = address;
            this.authorities = authorities;
            this.ours = ours;
        }

        @Override
        public HttpConnection create(URL url) throws IOException {
            return create(url, Proxy.NO_PROXY);
        }

        /// Java's own proxy properties apply where we have no proxy.
        @Override
        public HttpConnection create(URL url, Proxy proxy) throws IOException {
            check(url);
            HttpConnection connection = connections.create(url, ours.equals(Proxy.NO_PROXY) ? proxy : ours);
            if (authorities.isPresent() && url.getProtocol().equals("https")) {
                try {
                    connection.configure(null, authorities.get(), null);
                } catch (GeneralSecurityException e) {
                    throw new IOException("this Java has no TLS", e);
                }
            }
            return connection;
        }

        private void check(URL url) throws IOException {
            int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
            int expected = address.port().orElse(url.getDefaultPort());
            if (!url.getProtocol().equalsIgnoreCase(address.scheme().wire())
                    || !url.getHost().toLowerCase(Locale.ROOT).equals(address.host())
                    || port != expected) {
                throw new ForeignRedirect();
            }
        }
    }

    /// The server redirected us to another one.
    static final class ForeignRedirect extends IOException {
        private static final long serialVersionUID = 1L;

        ForeignRedirect() {
            super("redirected to another server");
        }
    }
}
