package io.github.etcdgitops.trial.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.github.etcdgitops.it.ClientAccess;
import io.github.etcdgitops.it.Filling;
import java.net.URI;
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

    /// `HOST:PORT` of a member, and how to come there.
    public record Way(String endpoint, ClientAccess access) {
        /// To a member without users.
        public static Way plain(String endpoint) {
            return new Way(endpoint, ClientAccess.PLAIN);
        }

        public ClientBuilder client() {
            return access.client(URI.create("http://" + endpoint));
        }

        private String url() {
            return (access.tls().isPresent() ? "https://" : "http://") + endpoint;
        }
    }

    /// To the first member that answers.
    public static Way way(Bench bench, String ring) {
        return new Members(bench, ring)
                .ways().stream().findFirst().orElseThrow(() -> new TrialFailure("no member of " + ring + " answers"));
    }

    public static Hash hash(Way way, long revision) {
        return ask(
                way,
                client -> client.getMaintenanceClient()
                        .hashKV(way.url(), revision)
                        .thenApply(answer ->
                                new Hash(revision, answer.getCompacted(), Integer.toUnsignedLong(answer.getHash()))));
    }

    public static long keys(Way way, long revision) {
        var options = GetOption.builder()
                .withRange(ALL)
                .withCountOnly(true)
                .withRevision(revision)
                .build();
        return ask(way, client -> client.getKVClient().get(ALL, options).thenApply(answer -> answer.getCount()));
    }

    public static long revision(Way way) {
        var options = GetOption.builder().withCountOnly(true).build();
        return ask(
                way,
                client -> client.getKVClient()
                        .get(ALL, options)
                        .thenApply(answer -> answer.getHeader().getRevision()));
    }

    public static void put(Way way, String key, String value) {
        ask(
                way,
                client ->
                        client.getKVClient().put(ByteSequence.from(key, US_ASCII), ByteSequence.from(value, US_ASCII)));
    }

    /// Deletes everything whose key begins so, and forgets what was before.
    public static void forget(Way way, String prefix) {
        var all = DeleteOption.builder().isPrefix(true).build();
        ask(
                way,
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
                way(bench, ring),
                client -> client.getClusterClient()
                        .listMember()
                        .thenApply(answer -> answer.getMembers().stream()
                                .flatMap(m -> m.getPeerURIs().stream())
                                .map(URI::toString)
                                .collect(Collectors.toCollection(TreeSet::new))));
    }

    /// Forgets what was before the revision of now.
    public static void compact(Way way) {
        long now = revision(way);
        ask(way, client -> client.getKVClient().compact(now));
    }

    /// Writes so many bytes of values.
    public static void fill(Way way, long bytes) {
        // Whoever has just read something here has signed in.
        revision(way);
        Filling.fill(way.endpoint(), way.access(), bytes, Filling.FEW);
    }

    private static <T> T ask(Way way, Function<Client, CompletableFuture<T>> question) {
        try (var client = way.client().build()) {
            return answer(client, question);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(way.endpoint() + " did not answer", e);
        }
    }

    /// Once refused, the client has signed in.
    private static <T> T answer(Client client, Function<Client, CompletableFuture<T>> question)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return question.apply(client).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!ClientAccess.isRefusal(String.valueOf(e.getMessage()))) {
                throw e;
            }
            return question.apply(client).get(60, TimeUnit.SECONDS);
        }
    }
}
