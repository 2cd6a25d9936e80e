package io.github.etcdgitops.gateway.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.store.call.Call;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/// Google's protocol for an upload in chunks: 308 with the bytes that are safe, and 200 or 201 with the
/// object when all are. After a break the store is asked how far it is, and the rest is sent again.
final class GcsSession {
    private final Call call;
    private final GcsApi api;
    private final URI address;

    GcsSession(Call call, GcsApi api, URI address) {
        this.call = call;
        this.api = api;
        this.address = address;
    }

    record Finished(long size, String crc32c, String generation) {
        static Finished of(JsonNode object) {
            return new Finished(
                    object.path("size").asLong(),
                    object.path("crc32c").asText(),
                    object.path("generation").asText());
        }

        boolean matches(long sent, CRC32C checksum) {
            byte[] bytes =
                    ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
            return size == sent && crc32c.equals(Base64.getEncoder().encodeToString(bytes));
        }
    }

    /// Sends bytes of the object from `from` on. With `total` they are the last, and there is a result.
    Optional<Finished> put(byte[] content, int length, long from, OptionalLong total) {
        long end = from + length;
        long safe = from;
        int tries = 0;
        while (true) {
            var answer = sent(content, (int) (safe - from), (int) (end - safe), safe, total);
            if (answer.isEmpty()) {
                tries = again(tries, Optional.empty());
                answer = asked(total);
            }
            if (answer.isEmpty()) {
                continue;
            }
            var response = answer.get();
            int status = response.statusCode();
            if (status == 200 || status == 201) {
                return Optional.of(Finished.of(GcsApi.json(call, response)));
            }
            if (status != 308) {
                tries = again(tries, Optional.of(GcsApi.refusal(call, response)));
                continue;
            }
            long reached = reached(response);
            if (reached == end && total.isEmpty()) {
                return Optional.empty();
            }
            if (reached < from || reached > end) {
                throw call.lost("the store lost bytes that it had confirmed; begin again");
            }
            tries = reached > safe ? tries : again(tries, Optional.empty());
            safe = reached;
        }
    }

    /// Counts a try and waits; throws where it was the last, or where another one cannot help.
    private int again(int tries, Optional<GatewayException> refusal) {
        if (refusal.isPresent() && refusal.get().kind() != GatewayException.Kind.UNREACHABLE) {
            throw refusal.get();
        }
        if (tries + 1 >= GcsApi.TRIES) {
            throw refusal.orElseGet(() -> call.lost("the connection broke again and again"));
        }
        api.pauseAfter(tries);
        return tries + 1;
    }

    /// Empty where there was no answer.
    private Optional<HttpResponse<byte[]>> sent(byte[] content, int offset, int length, long at, OptionalLong total) {
        String last = total.isPresent() ? Long.toString(total.getAsLong()) : "*";
        String range = length == 0 ? "bytes */" + last : "bytes " + at + "-" + (at + length - 1) + "/" + last;
        return answer(GcsHttp.request(address, length)
                .header("Content-Range", range)
                .PUT(BodyPublishers.ofByteArray(content, offset, length))
                .build());
    }

    private Optional<HttpResponse<byte[]>> asked(OptionalLong total) {
        String last = total.isPresent() ? Long.toString(total.getAsLong()) : "*";
        return answer(GcsHttp.request(address)
                .header("Content-Range", "bytes */" + last)
                .PUT(BodyPublishers.noBody())
                .build());
    }

    private Optional<HttpResponse<byte[]>> answer(HttpRequest request) {
        try {
            return Optional.of(api.session(call, request));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// `Range: bytes=0-N`, or nothing where nothing is safe.
    private long reached(HttpResponse<byte[]> response) {
        String range = response.headers().firstValue("Range").orElse("");
        if (range.isEmpty()) {
            return 0;
        }
        if (!range.matches("bytes=0-\\d{1,18}")) {
            throw call.lost("the store's answer about how far it is makes no sense");
        }
        return Long.parseLong(range.substring("bytes=0-".length())) + 1;
    }

    /// Without it the upload would be forgotten too, after a week.
    void cancel() {
        answer(GcsHttp.request(address).DELETE().build());
    }
}
