package io.github.etcdgitops.gateway.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.Network;
import io.github.etcdgitops.gateway.store.call.ObjectKey;
import io.github.etcdgitops.gateway.store.call.Paging;
import io.github.etcdgitops.gateway.store.call.StoredStream;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// A bucket of Google Cloud Storage, by the JSON API as a service account.
public final class GcsStore implements BackupStore {
    /// Google takes multiples of 256 KiB.
    public static final int CHUNK = 8 << 20;

    private final GcsApi api;
    private final String bucket;
    private final String prefix;
    private final String title;
    private final int chunk;

    public GcsStore(Destination.Gcs destination, GcsApi api, int chunk) {
        this.api = api;
        this.bucket = GcsApi.escaped(destination.bucket());
        this.prefix = ObjectKey.requirePrefix(destination.prefix());
        this.title = destination.title();
        this.chunk = chunk;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Upload create(String key) {
        return begin(key);
    }

    /// Google compares when the upload ends. A look before saves sending what would be refused; an account
    /// that may write and not look goes on without.
    private GcsUpload begin(String key) {
        var call = Call.changing("writing " + key + " to " + title);
        var there = api.ask(call, () -> GcsHttp.request(metadata(key, "?fields=name")));
        if (there.statusCode() == 200) {
            throw call.refused(Kind.CONFLICT, "it exists already");
        }
        var begun = api.ask(
                call,
                () -> GcsHttp.request(api.uri("/upload/storage/v1/b/" + bucket
                                + "/o?uploadType=resumable&ifGenerationMatch=0&name=" + GcsApi.escaped(name(key))))
                        .header("X-Upload-Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.noBody()));
        if (begun.statusCode() != 200 && begun.statusCode() != 201) {
            throw GcsApi.refusal(call, begun);
        }
        URI session = api.upload(call, begun.headers().firstValue("Location").orElse(""));
        return new GcsUpload(call, api, session, generation -> drop(call, key, generation), chunk);
    }

    @Override
    public void create(String key, byte[] content) {
        try (var upload = begin(key)) {
            upload.write(content);
            upload.complete();
        } catch (IOException e) {
            throw Call.cause(e);
        }
    }

    @Override
    public Optional<byte[]> read(String key, int limit) {
        var call = Call.reading("reading " + key + " from " + title);
        var response = media(call, key);
        if (response.statusCode() == 404) {
            requireBucket(call);
            return Optional.empty();
        }
        try (var in = stream(call, response)) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw call.refused(Kind.REJECTED, "it has more than the expected " + limit + " bytes");
            }
            return Optional.of(bytes);
        } catch (IOException e) {
            throw Call.cause(e);
        }
    }

    @Override
    public InputStream open(String key) {
        var call = Call.reading("reading " + key + " from " + title);
        var response = media(call, key);
        if (response.statusCode() == 404) {
            requireBucket(call);
            throw call.refused(Kind.NOT_FOUND, "it is not there");
        }
        return stream(call, response);
    }

    private HttpResponse<InputStream> media(Call call, String key) {
        return api.open(call, () -> GcsHttp.request(metadata(key, "?alt=media")));
    }

    private static InputStream stream(Call call, HttpResponse<InputStream> response) {
        var body = response.body();
        var length = response.headers().firstValueAsLong("Content-Length");
        Runnable abort = () -> closed(body);
        if (response.statusCode() != 200 || length.isEmpty()) {
            abort.run();
            throw GcsErrors.translate(call, response, "");
        }
        return new StoredStream(body, call, length.getAsLong(), abort, Network::words);
    }

    private static void closed(InputStream in) {
        try {
            in.close();
        } catch (IOException _) {
            // Nobody wants the rest.
        }
    }

    @Override
    public void list(String below, Consumer<Entry> each) {
        var call = Call.reading("listing " + title + below);
        Optional<String> next = Optional.of("");
        var paging = new Paging(call);
        while (next.isPresent()) {
            String token = next.get();
            var page = page(call, "&prefix=" + GcsApi.escaped(prefix + below) + "&pageToken=" + GcsApi.escaped(token));
            page.path("items").forEach(item -> each.accept(entry(item)));
            next = Optional.of(page.path("nextPageToken").asText()).filter(t -> !t.isEmpty());
            paging.turned(next.orElse(""), page.path("items").isEmpty());
        }
    }

    private JsonNode page(Call call, String query) {
        var response = api.ask(
                call,
                () -> GcsHttp.request(api.uri("/storage/v1/b/" + bucket + "/o?fields="
                        + GcsApi.escaped("kind,items(name,size,updated),nextPageToken") + query)));
        if (response.statusCode() != 200) {
            throw GcsApi.refusal(call, response);
        }
        var page = GcsApi.json(call, response);
        if (!page.path("kind").asText().equals("storage#objects")) {
            throw GcsApi.otherServer(call, response);
        }
        return page;
    }

    private Entry entry(JsonNode item) {
        return new Entry(
                item.path("name").asText().substring(prefix.length()),
                item.path("size").asLong(),
                Instant.parse(item.path("updated").asText()));
    }

    /// A missing bucket and a missing object have the same status.
    private void requireBucket(Call call) {
        page(call, "&maxResults=1");
    }

    @Override
    public void delete(String key) {
        var call = Call.changing("deleting " + key + " from " + title);
        var response = api.ask(call, () -> GcsHttp.request(metadata(key, "")).DELETE());
        if (response.statusCode() == 404) {
            requireBucket(call);
        } else if (response.statusCode() / 100 != 2) {
            throw GcsApi.refusal(call, response);
        }
    }

    /// That one object, and not another that took its place.
    private void drop(Call call, String key, String generation) {
        api.ask(
                call,
                () -> GcsHttp.request(metadata(key, "?ifGenerationMatch=" + GcsApi.escaped(generation)))
                        .DELETE());
    }

    /// Unfinished uploads cannot be listed. Google gives them up by itself after a week, and charges
    /// nothing for them.
    @Override
    public int abandon(String below, Duration age) {
        return 0;
    }

    private URI metadata(String key, String query) {
        return api.uri("/storage/v1/b/" + bucket + "/o/" + GcsApi.escaped(name(key)) + query);
    }

    private String name(String key) {
        return prefix + ObjectKey.require(key);
    }

    @Override
    public void close() {
        api.close();
    }
}
