package io.github.etcdgitops.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotCheckTest {
    private static final int PAGES = 8 * 512;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 31, 32, 33, 64, 511, 1000, 4128, 10_000})
    void howTheBytesAreCutMakesNoDifference(int piece) throws NoSuchAlgorithmException {
        byte[] snapshot = snapshot();

        var result = digest(snapshot, piece);

        assertThat(result.fault()).isEmpty();
        assertThat(result.size()).isEqualTo(snapshot.length);
        assertThat(result.sha256()).isEqualTo(HexFormat.of().formatHex(sha256(snapshot)));
    }

    @Test
    void piecesOutsideTheHeapAreLeftAsTheyWere() throws NoSuchAlgorithmException {
        byte[] snapshot = snapshot();
        var outside = ByteBuffer.allocateDirect(snapshot.length).put(snapshot).flip();
        var digest = new SnapshotCheck();

        digest.update(outside.asReadOnlyBuffer());
        digest.update(outside.limit(0));

        assertThat(digest.finish().fault()).isEmpty();
        assertThat(outside.position()).isZero();
    }

    @Test
    void oneOtherByteIsSeenWhereverItIs() throws NoSuchAlgorithmException {
        byte[] good = snapshot();
        for (int at : new int[] {0, 1, 2000, PAGES - 1, PAGES, PAGES + 31}) {
            byte[] snapshot = good.clone();
            snapshot[at] ^= 1;

            assertThat(digest(snapshot, 100).fault())
                    .hasValueSatisfying(fault -> assertThat(fault)
                            .contains("bytes differ", HexFormat.of().formatHex(snapshot, PAGES, PAGES + 32)));
        }
    }

    @Test
    void saysWhatIsMissing() throws NoSuchAlgorithmException {
        byte[] snapshot = snapshot();

        assertThat(digest(new byte[0], 1).fault()).contains("the snapshot is empty");
        assertThat(digest(Arrays.copyOf(snapshot, PAGES), 100).fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("4096 bytes", "is missing"));
        for (int size : new int[] {1, 32, 100, 513, PAGES + 1, PAGES + 31}) {
            assertThat(digest(Arrays.copyOf(snapshot, size), 100).fault())
                    .hasValueSatisfying(fault -> assertThat(fault).contains("truncated: " + size + " bytes"));
        }
    }

    @Test
    void cutAtAPageItDiffers() throws NoSuchAlgorithmException {
        assertThat(digest(Arrays.copyOf(snapshot(), 512 + 32), 100).fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("bytes differ"));
    }

    private static SnapshotCheck.Result digest(byte[] snapshot, int piece) {
        var digest = new SnapshotCheck();
        for (int from = 0; from < snapshot.length; from += piece) {
            digest.update(ByteBuffer.wrap(snapshot, from, Math.min(piece, snapshot.length - from)));
        }
        return digest.finish();
    }

    private static byte[] snapshot() throws NoSuchAlgorithmException {
        byte[] pages = new byte[PAGES];
        new Random(7).nextBytes(pages);
        byte[] snapshot = Arrays.copyOf(pages, PAGES + 32);
        System.arraycopy(sha256(pages), 0, snapshot, PAGES, 32);
        return snapshot;
    }

    private static byte[] sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
