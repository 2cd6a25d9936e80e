package io.github.etcdgitops.it;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Makes a database large, quickly: values of 64 KiB that no compression makes smaller, many in a transaction.
public final class Filling {
    /// What etcd has to allow for it. From 3.5 on.
    public static final List<String> FLAGS =
            List.of("--quota-backend-bytes=17179869184", "--max-request-bytes=16777216", "--unsafe-no-fsync");

    private static final int VALUE = 64 << 10;
    private static final int VALUES = 64;
    private static final int UNDER_WAY = 4;

    private Filling() {}

    /// What one transaction holds that etcd takes without any flag.
    public static final int FEW = 16;

    /// Writes so many bytes of values, rounded up to a transaction.
    public static void fill(String endpoint, long bytes) {
        fill(endpoint, ClientAccess.PLAIN, bytes, VALUES);
    }

    /// The same with so many values in a transaction.
    public static void fill(String endpoint, ClientAccess access, long bytes, int values) {
        var random = new SplittableRandom(1);
        var underWay = new ArrayDeque<CompletableFuture<TxnResponse>>();
        try (var client = access.client(URI.create("http://" + endpoint)).build()) {
            for (long written = 0; written < bytes; written += (long) VALUE * values) {
                var operations = new ArrayList<Op>();
                for (int i = 0; i < values; i++) {
                    operations.add(put(written / VALUE + i, random));
                }
                underWay.add(client.getKVClient()
                        .txn()
                        .Then(operations.toArray(Op[]::new))
                        .commit());
                if (underWay.size() == UNDER_WAY) {
                    underWay.remove().get(60, TimeUnit.SECONDS);
                }
            }
            for (var last : underWay) {
                last.get(60, TimeUnit.SECONDS);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("etcd did not take the values", e);
        }
    }

    private static Op put(long number, SplittableRandom random) {
        byte[] value = new byte[VALUE];
        random.nextBytes(value);
        return Op.put(
                ByteSequence.from("key-" + number, StandardCharsets.UTF_8),
                ByteSequence.from(value),
                PutOption.DEFAULT);
    }
}
