package io.github.etcdgitops.trial.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// One request for the page `/version` at a port, in the clear or over TLS, checked against `name`.
record Knock(String address, int port, String name) {
    private static final int PATIENCE = (int) Duration.ofSeconds(10).toMillis();

    /// Whether the page was served, what was answered otherwise, and when the server's certificate ends.
    record Answer(boolean served, String text, Optional<Instant> ends) {
        private static Answer refused(String why) {
            return new Answer(false, why, Optional.empty());
        }
    }

    Answer plain() {
        try (var socket = connect()) {
            return ask(socket, Optional.empty());
        } catch (SocketTimeoutException _) {
            throw new TrialFailure("port " + port + " of " + name + " neither answers nor refuses");
        } catch (IOException e) {
            return Answer.refused(String.valueOf(e.getMessage()));
        }
    }

    Answer over(SSLContext tls) {
        try (var socket = connect();
                var secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, name, port, true)) {
            var parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            var shown = (X509Certificate) secured.getSession().getPeerCertificates()[0];
            return ask(secured, Optional.of(shown.getNotAfter().toInstant()));
        } catch (SocketTimeoutException _) {
            throw new TrialFailure("port " + port + " of " + name + " neither answers nor refuses over TLS");
        } catch (IOException e) {
            return Answer.refused(String.valueOf(e.getMessage()));
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(PATIENCE);
        socket.connect(new InetSocketAddress(address, port), PATIENCE);
        return socket;
    }

    private Answer ask(Socket socket, Optional<Instant> ends) throws IOException {
        String request = "GET /version HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        socket.getOutputStream().flush();
        String answer = new String(socket.getInputStream().readNBytes(200), US_ASCII);
        String line = answer.lines().findFirst().orElse("it hung up");
        return new Answer(line.matches("HTTP/1.1 200 .*"), line, ends);
    }
}
