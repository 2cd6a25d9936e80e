package io.github.etcdgitops.receive;

import io.github.etcdgitops.gateway.SnapshotDigest;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// The messages on the connection, one line each. The sender names the content. The receiver answers `go`,
/// `ok` (it has it already) or `no: reason`. After `go` come exactly as many bytes as named, and then `ok`
/// or `no: reason`. Neither side half-closes before the other is done: a port-forward cannot.
final class Protocol {
    static final String GO = "go";
    static final String OK = "ok";
    static final String NO = "no: ";

    private static final int LONGEST = 400;
    private static final Pattern HEADER = Pattern.compile("etcd-gitops-snapshot/1 ([1-9][0-9]{0,17}) ([0-9a-f]{64})");

    private Protocol() {}

    static String header(SnapshotDigest content) {
        return "etcd-gitops-snapshot/1 " + content.size() + " " + content.sha256();
    }

    /// Empty when the line is not a header of ours.
    static Optional<SnapshotDigest> content(String header) {
        var match = HEADER.matcher(header);
        return match.matches()
                ? Optional.of(new SnapshotDigest(Long.parseLong(match.group(1)), match.group(2)))
                : Optional.empty();
    }

    static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// Reads no byte after the line. A longer line does not come from our sender.
    static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed before the end of a line");
            }
            if (line.size() == LONGEST) {
                throw new IOException("a line without an end");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }
}
