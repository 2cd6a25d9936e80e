package io.github.etcdgitops.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                .hasValueSatisfying(fault -> assertThat(fault).contains("etcd database without the SHA-256"));
        for (int size : new int[] {1, 32, 100, 513, PAGES + 1, PAGES + 31}) {
            assertThat(digest(Arrays.copyOf(snapshot, size), 100).fault())
                    .hasValueSatisfying(fault -> assertThat(fault).contains("truncated: " + size + " bytes"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1f8b0800, a gzip file",
        "28b52ffd, a zstd file",
        "fd377a585a00, an xz file",
        "425a6839, a bzip2 file",
        "04224d18, an lz4 file",
        "504b0304, a zip archive",
        "377abcaf271c, a 7z archive",
        "6167652d656e6372797074696f6e2e6f72672f7631, a file encrypted with age",
        "3c21444f43545950452068746d6c3e, an HTML page",
        "3c48544d4c3e, an HTML page",
        "3c3f786d6c2076657273696f6e, an XML document",
        "7b226572726f72223a, a JSON document",
        "2d2d2d2d2d424547494e2043, a PEM file"
    })
    void saysWhatAnotherFileIs(String begin, String what) {
        for (int size : new int[] {40, 513, PAGES, PAGES + 32}) {
            byte[] file = Arrays.copyOf(HexFormat.of().parseHex(begin), size);

            assertThat(digest(file, 7).fault())
                    .hasValueSatisfying(fault -> assertThat(fault).startsWith("this is " + what + ", not a snapshot"));
        }
    }

    @Test
    void saysThatATarArchiveIsOne() {
        byte[] file = new byte[10_240];
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, file, 257, 5);

        assertThat(digest(file, 100).fault())
                .hasValueSatisfying(fault -> assertThat(fault).startsWith("this is a tar archive"));
    }

    @Test
    void tellsForeignFileFromTruncatedDatabase() {
        byte[] file = new byte[PAGES + 7];
        new Random(3).nextBytes(file);

        assertThat(digest(file, 100).fault())
                .hasValueSatisfying(fault ->
                        assertThat(fault).contains("not an etcd database").doesNotContain("truncated"));
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
        System.arraycopy(HexFormat.of().parseHex("edda0ced"), 0, pages, 16, 4);
        byte[] snapshot = Arrays.copyOf(pages, PAGES + 32);
        System.arraycopy(sha256(pages), 0, snapshot, PAGES, 32);
        return snapshot;
    }

    private static byte[] sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
