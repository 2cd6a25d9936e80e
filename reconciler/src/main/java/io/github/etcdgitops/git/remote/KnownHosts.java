package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.ring.roll.Configuration;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.eclipse.jgit.internal.transport.sshd.OpenSshServerKeyDatabase;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.jspecify.annotations.Nullable;

/// Host keys from one file and nowhere else. An unknown, changed or revoked key is refused; it never asks
/// and writes nothing, whatever the caller's configuration or credentials provider says.
final class KnownHosts implements ServerKeyDatabase {
    private final OpenSshServerKeyDatabase file;
    private final Strict strict;
    private final AtomicReference<@Nullable String> refused = new AtomicReference<>();

    KnownHosts(Path knownHosts) {
        file = new OpenSshServerKeyDatabase(true, List.of(knownHosts));
        strict = new Strict(knownHosts.toString());
    }

    @Override
    public List<PublicKey> lookup(String connectAddress, InetSocketAddress remote, Configuration ignored) {
        return file.lookup(connectAddress, remote, strict);
    }

    @Override
    public boolean accept(
            String connectAddress,
            InetSocketAddress remote,
            PublicKey key,
            Configuration ignored,
            @Nullable CredentialsProvider nobody) {
        boolean known = file.accept(connectAddress, remote, key, strict, null);
        if (!known) {
            refused.compareAndSet(null, description(key, lookup(connectAddress, remote, ignored)));
        }
        return known;
    }

    /// The refused key of a server, beside its expected keys. The exception that follows does not name them
    /// reliably.
    Optional<String> refused() {
        return Optional.ofNullable(refused.get());
    }

    private static String description(PublicKey offered, List<PublicKey> known) {
        return "it offers " + named(offered) + "; "
                + (known.isEmpty()
                        ? "the known_hosts file has no key for it"
                        : "the known_hosts file has "
                                + String.join(
                                        ", ",
                                        known.stream().map(KnownHosts::named).toList()));
    }

    /// In the form of `ssh-keygen -l`: fingerprints are public.
    private static String named(PublicKey key) {
        return KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
    }

    private record Strict(String knownHosts) implements Configuration {
        @Override
        public List<String> getUserKnownHostsFiles() {
            return List.of(knownHosts);
        }

        @Override
        public List<String> getGlobalKnownHostsFiles() {
            return List.of();
        }

        @Override
        public StrictHostKeyChecking getStrictHostKeyChecking() {
            return StrictHostKeyChecking.REQUIRE_MATCH;
        }

        @Override
        public boolean getHashKnownHosts() {
            return false;
        }

        @Override
        public String getUsername() {
            return "";
        }
    }
}
