package io.github.etcdgitops.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {
    private static final int BLOCK = 256 << 10;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 17})
    void forwardsPiecesInBlocks(int size) throws IOException {
        byte[] all = new byte[size];
        var random = new Random(size);
        random.nextBytes(all);
        var out = new ByteArrayOutputStream();
        var sizes = new ArrayList<Integer>();
        var blocks = new Blocks((bytes, length) -> {
            sizes.add(length);
            out.write(bytes, 0, length);
        });

        for (int at = 0; at < size; ) {
            int length = Math.min(size - at, 1 + random.nextInt(2 * BLOCK));
            var piece = ByteBuffer.wrap(all, at, length);
            blocks.add(piece);
            assertThat(piece.hasRemaining()).isFalse();
            at += length;
        }
        blocks.finish();

        assertThat(out.toByteArray()).isEqualTo(all);
        assertThat(sizes.subList(0, Math.max(0, sizes.size() - 1))).allMatch(s -> s == BLOCK);
        assertThat(sizes).doesNotContainAnyElementsOf(List.of(0));
    }
}
