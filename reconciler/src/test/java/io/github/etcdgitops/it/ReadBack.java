package io.github.etcdgitops.it;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/// Reads all keys below a prefix, linearizably and page by page, and tells which are not there or not as written.
record ReadBack(Endpoints endpoints, String prefix, Duration limit) {
    private static final int PAGE = 1000;

    List<Long> missing(BitSet acknowledged) {
        var missing = (BitSet) acknowledged.clone();
        long end = System.nanoTime() + limit.toNanos();
        try (var connection = new Connection(endpoints, 0)) {
            var from = WriteLoad.bytes(prefix);
            boolean more = true;
            while (more) {
                var page = page(connection, from, end);
                page.forEach(found -> strike(missing, found));
                more = page.size() == PAGE;
                from = more ? after(page.getLast().getKey()) : from;
            }
        }
        return missing.stream().mapToObj(number -> (long) number).toList();
    }

    private List<KeyValue> page(Connection connection, ByteSequence from, long end) {
        var option = GetOption.builder()
                .withRange(WriteLoad.bytes(prefix + "~"))
                .withLimit(PAGE)
                .withSerializable(false)
                .build();
        while (System.nanoTime() < end) {
            var answer = connection.get(from, option, Duration.ofSeconds(5));
            if (answer.isPresent()) {
                return answer.get().getKvs();
            }
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

    private static ByteSequence after(ByteSequence key) {
        return key.concat(WriteLoad.bytes("\0"));
    }
}
