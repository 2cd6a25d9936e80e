package io.github.etcdgitops.trial.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.github.etcdgitops.it.ClientTls;
import java.net.URI;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a member says of its data, by etcd's own client.
public final class LiveRing {
    private static final ByteSequence ALL = ByteSequence.from(new byte[1]);

    private LiveRing() {}

    /// etcd's hash over all keys up to a revision; comparable where `compactRevision` is the same.
    public record Hash(long revision, long compactRevision, long hash) {}

    /// `HOST:PORT` of a member, and what it takes to come over TLS where that is the way.
    public record Way(String endpoint, Optional<ClientTls> tls) {
        static Way plain(String endpoint) {
            return new Way(endpoint, Optional.empty());
        }

        String url() {
            return (tls.isPresent() ? "https://" : "http://") + endpoint;
        }
    }

    /// `HOST:PORT` of the first member that has a pod.
    public static String endpoint(Bench bench, String ring) {
        return new Members(bench, ring)
                .pods().stream()
                        .map(pod -> pod.getStatus().getPodIP())
                        .filter(ip -> ip != null)
                        .findFirst()
                        .map(ip -> ip + ":2379")
                        .orElseThrow(() -> new TrialFailure(ring + " has no pod"));
    }

    public static Hash hash(String endpoint, long revision) {
        return hash(Way.plain(endpoint), revision);
    }

    public static Hash hash(Way way, long revision) {
        return ask(
                way,
                client -> client.getMaintenanceClient()
                        .hashKV(way.url(), revision)
                        .thenApply(answer ->
                                new Hash(revision, answer.getCompacted(), Integer.toUnsignedLong(answer.getHash()))));
    }

    public static long keys(String endpoint, long revision) {
        var options = GetOption.builder()
                .withRange(ALL)
                .withCountOnly(true)
                .withRevision(revision)
                .build();
        return ask(
                Way.plain(endpoint),
                client -> client.getKVClient().get(ALL, options).thenApply(answer -> answer.getCount()));
    }

    public static long revision(String endpoint) {
        return revision(Way.plain(endpoint));
    }

    public static long revision(Way way) {
        var options = GetOption.builder().withCountOnly(true).build();
        return ask(
                way,
                client -> client.getKVClient()
                        .get(ALL, options)
                        .thenApply(answer -> answer.getHeader().getRevision()));
    }

    public static void put(String endpoint, String key, String value) {
        put(Way.plain(endpoint), key, value);
    }

    public static void put(Way way, String key, String value) {
        ask(
                way,
                client ->
                        client.getKVClient().put(ByteSequence.from(key, US_ASCII), ByteSequence.from(value, US_ASCII)));
    }

    /// Deletes everything whose key begins so, and forgets what was before.
    public static void forget(String endpoint, String prefix) {
        var all = DeleteOption.builder().isPrefix(true).build();
        ask(
                Way.plain(endpoint),
                client -> client.getKVClient()
                        .delete(ByteSequence.from(prefix, US_ASCII), all)
                        .thenCompose(done ->
                                client.getKVClient().compact(done.getHeader().getRevision())));
    }

    /// All members that answer hold the same data. Returns how many.
    public static int demandAlike(Bench bench, String ring) {
        var ways = new Members(bench, ring).ways();
        TrialFailure.unless(!ways.isEmpty(), "no member of " + ring + " answers");
        long revision = revision(ways.getFirst());
        var hashes = new TreeSet<Long>();
        ways.forEach(way -> hashes.add(hash(way, revision).hash()));
        TrialFailure.unless(hashes.size() == 1, "the members differ at revision " + revision + ": " + hashes);
        return ways.size();
    }

    /// As the ring has them, of all members.
    public static SortedSet<String> peerUrls(Bench bench, String ring) {
        return ask(
                new Members(bench, ring).ways().getFirst(),
                client -> client.getClusterClient()
                        .listMember()
                        .thenApply(answer -> answer.getMembers().stream()
                                .flatMap(m -> m.getPeerURIs().stream())
                                .map(URI::toString)
                                .collect(Collectors.toCollection(TreeSet::new))));
    }

    private static <T> T ask(Way way, Function<Client, CompletableFuture<T>> question) {
        var builder = Client.builder().endpoints(way.url());
        way.tls().ifPresent(tls -> builder.sslContext(tls.context()).authority(tls.authority()));
        try (var client = builder.build()) {
            return question.apply(client).get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(way.endpoint() + " did not answer", e);
        }
    }
}
