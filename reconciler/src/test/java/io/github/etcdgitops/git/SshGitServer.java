package io.github.etcdgitops.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/// Native `git` behind SSH, for one client key.
public final class SshGitServer implements AutoCloseable {
    private final SshServer server = SshServer.setUpDefaultServer();
    /// Of the platform: reading from a process holds the thread that a virtual one runs on, of which a
    /// machine of two cores has two for everybody.
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /// Listens at this address alone, on any port. Commands run in the folder.
    public SshGitServer(String address, KeyPair hostKey, PublicKey client, Path folder) throws IOException {
        server.setHost(address);
        server.setPort(0);
        server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
        server.setPublickeyAuthenticator((_, key, _) -> KeyUtils.compareKeys(key, client));
        server.setCommandFactory((_, command) -> new GitCommand(folder, command));
        server.start();
    }

    /// As if somebody had taken the key out of the repository's settings.
    void forgetClients() {
        server.setPublickeyAuthenticator((_, _, _) -> false);
    }

    public static KeyPair key() throws GeneralSecurityException {
        return KeyUtils.generateKeyPair(KeyPairProvider.ECDSA_SHA2_NISTP256, 256);
    }

    public static Path writePrivateKey(KeyPair key, Path file) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "test", null, out);
        }
        return file;
    }

    public int port() {
        return server.getPort();
    }

    public String knownHostsLine(PublicKey key) {
        return knownHostsLine(port(), key);
    }

    /// For whoever comes through another port.
    String knownHostsLine(int port, PublicKey key) {
        return "[" + server.getHost() + "]:" + port + " " + PublicKeyEntry.toString(key) + "\n";
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
        threads.close();
    }

    private final class GitCommand implements Command {
        private final Path folder;
        private final String command;
        private InputStream in = InputStream.nullInputStream();
        private OutputStream out = OutputStream.nullOutputStream();
        private ExitCallback exit = (_, _, _) -> {};

        GitCommand(Path folder, String command) {
            this.folder = folder;
            this.command = command;
        }

        @Override
        public void setInputStream(InputStream stream) {
            in = stream;
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {}

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) throws IOException {
            Process process = NativeGit.builder(folder, List.of("sh", "-c", command))
                    .redirectErrorStream(false)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            threads.execute(() -> pump(in, process.getOutputStream()));
            threads.execute(() -> {
                pump(process.getInputStream(), out);
                exit.onExit(process.onExit().join().exitValue());
            });
        }

        /// At once, byte by byte if need be: each side waits for what the other says.
        private static void pump(InputStream from, OutputStream to) {
            byte[] buffer = new byte[8192];
            try (to) {
                for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                    to.write(buffer, 0, n);
                    to.flush();
                }
            } catch (IOException _) {
                // The other side has gone.
            }
        }

        @Override
        public void destroy(ChannelSession channel) {}
    }
}
