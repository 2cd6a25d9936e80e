package io.github.etcdgitops.trial;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.GetOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// What a member says of its data, by etcd's own client.
final class LiveRing {
    private static final ByteSequence ALL = ByteSequence.from(new byte[1]);

    private LiveRing() {}

    /// etcd's hash over all keys up to a revision; comparable where `compactRevision` is the same.
    record Hash(long revision, long compactRevision, long hash) {}

    /// `HOST:PORT` of the first member that has a pod.
    static String endpoint(Bench bench, String ring) {
        return new Members(bench, ring)
                .pods().stream()
                        .map(pod -> pod.getStatus().getPodIP())
                        .filter(ip -> ip != null)
                        .findFirst()
                        .map(ip -> ip + ":2379")
                        .orElseThrow(() -> new TrialFailure(ring + " has no pod"));
    }

    static Hash hash(String endpoint, long revision) {
        return ask(
                endpoint,
                client -> client.getMaintenanceClient()
                        .hashKV("http://" + endpoint, revision)
                        .thenApply(answer ->
                                new Hash(revision, answer.getCompacted(), Integer.toUnsignedLong(answer.getHash()))));
    }

    static long keys(String endpoint, long revision) {
        var options = GetOption.builder()
                .withRange(ALL)
                .withCountOnly(true)
                .withRevision(revision)
                .build();
        return ask(endpoint, client -> client.getKVClient().get(ALL, options).thenApply(answer -> answer.getCount()));
    }

    static long revision(String endpoint) {
        var options = GetOption.builder().withCountOnly(true).build();
        return ask(
                endpoint,
                client -> client.getKVClient()
                        .get(ALL, options)
                        .thenApply(answer -> answer.getHeader().getRevision()));
    }

    static void put(String endpoint, String key, String value) {
        ask(
                endpoint,
                client ->
                        client.getKVClient().put(ByteSequence.from(key, US_ASCII), ByteSequence.from(value, US_ASCII)));
    }

    private static <T> T ask(String endpoint, Function<Client, CompletableFuture<T>> question) {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            return question.apply(client).get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(endpoint + " did not answer", e);
        }
    }
}
