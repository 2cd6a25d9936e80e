package io.github.etcdgitops.it;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/// Reads all keys below a prefix, linearizably and page by page, and tells which are not there or not
/// as written. `limit` is how long the ring may leave one page unanswered.
///
/// A page is a range of numbers and not a limit: etcd counts all that a range matches, whatever the
/// limit, so that reading a million keys by a thousand would count them a thousand times.
record ReadBack(Endpoints endpoints, Supplier<ClientAccess> access, String prefix, Duration limit) {
    private static final int PAGE = 2000;

    List<Long> missing(BitSet acknowledged) {
        var missing = (BitSet) acknowledged.clone();
        try (var connection = new Connection(endpoints, access, 0)) {
            for (int from = 0; from < acknowledged.length(); from += PAGE) {
                page(connection, from).forEach(found -> strike(missing, found));
            }
        }
        return missing.stream().mapToObj(number -> (long) number).toList();
    }

    private List<KeyValue> page(Connection connection, long from) {
        var option = GetOption.builder()
                .withRange(WriteLoad.bytes(WriteLoad.key(prefix, from + PAGE)))
                .withSerializable(false)
                .build();
        long end = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < end) {
            var answer = connection.get(WriteLoad.bytes(WriteLoad.key(prefix, from)), option, Duration.ofSeconds(5));
            if (answer.isPresent()) {
                return answer.get().getKvs();
            }
            // Of a ring that has just come back the addresses of before are nobody's.
            endpoints.refresh();
        }
        throw new IllegalStateException("the ring did not answer for " + limit + ", so nothing can be said of losses");
    }

    private void strike(BitSet missing, KeyValue found) {
        String digits = found.getKey().toString(StandardCharsets.US_ASCII).substring(prefix.length());
        int number = Integer.parseInt(digits);
        if (found.getValue().equals(WriteLoad.bytes(Integer.toString(number)))) {
            missing.clear(number);
        }
    }
}
