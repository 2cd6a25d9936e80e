package io.github.etcdgitops.gateway.etcd;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/// The page with the keys of etcd's v2 API, which servers before 3.4 have at their client port, and later ones
/// only if somebody wants it. Only whether there is a key counts; none is kept. Hidden keys are not on it.
record V2Page(MemberAccess.Route route, Optional<SSLContext> tls) {
    private static final Pattern OK = Pattern.compile("HTTP/1\\.[01] 200[ \r]");
    private static final String BODY = "\r\n\r\n";
    private static final int LARGEST = 64 << 10;

    static V2Page at(MemberAccess.Route route, Optional<TlsMaterial> ours) {
        return new V2Page(route, ours.map(material -> TlsContexts.fresh(route, material)));
    }

    boolean hasKeys(Duration deadline) {
        return new PortProbe(route, tls).within(deadline, this::read, refused -> {
            throw failed(refused.why());
        });
    }

    /// In HTTP/1.0 the answer ends with the connection.
    private boolean read(Socket socket) throws IOException {
        String request = "GET /v2/keys/ HTTP/1.0\r\nHost: " + route.authority() + "\r\n\r\n";
        var out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return hasKeys(new String(socket.getInputStream().readNBytes(LARGEST), StandardCharsets.ISO_8859_1));
    }

    private boolean hasKeys(String answer) {
        int body = answer.indexOf(BODY);
        if (body < 0 || !OK.matcher(answer).lookingAt()) {
            throw failed("it does not serve the v2 API, or not to us");
        }
        try {
            return hasNodes(answer.substring(body + BODY.length()));
        } catch (IOException e) {
            throw failed("its answer is not one of the v2 API, or too long");
        }
    }

    /// The first key decides, so a long answer may be cut off behind it.
    private static boolean hasNodes(String body) throws IOException {
        boolean directory = false;
        try (var json = new JsonFactory().createParser(body)) {
            for (var token = json.nextToken(); token != null; token = json.nextToken()) {
                var place = json.getParsingContext();
                if (token == JsonToken.START_ARRAY
                        && place.getParent().pathAsPointer().toString().equals("/node/nodes")) {
                    return json.nextToken() == JsonToken.START_OBJECT;
                }
                directory |= token == JsonToken.VALUE_TRUE
                        && place.pathAsPointer().toString().equals("/node/dir");
            }
        }
        if (!directory) {
            throw new IOException("no directory");
        }
        return false;
    }

    private GatewayException failed(String why) {
        return new GatewayException(
                Kind.REJECTED, false, "looking for keys of the v2 API at " + Endpoint.name(route) + ": " + why);
    }
}
