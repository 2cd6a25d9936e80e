package io.github.etcdgitops.gateway.kube.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PackedTextsTest {
    private final AtomicLong room = new AtomicLong(1 << 20);
    private final PackedTexts texts = new PackedTexts(room);

    private static byte[] text(int number) {
        return ("{\"name\":\"ring-" + number + "\",\"text\":\"" + "x".repeat(number % 700) + "\"}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void givesEachTextBackInAnyOrder() {
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            places.add(texts.add(text(i)));
        }

        assertThat(texts.text(places.getLast())).isEqualTo(text(2999));
        texts.end();

        var order = new Random(1);
        for (int i = 0; i < 3000; i++) {
            int any = order.nextInt(3000);
            assertThat(texts.text(places.get(any))).isEqualTo(text(any));
        }
    }

    @Test
    void takesOnlyWhatItKeepsFromTheRoom() {
        for (int i = 0; i < 3000; i++) {
            texts.add(text(i));
        }
        texts.end();

        assertThat(texts.kept()).isEqualTo((1 << 20) - room.get()).isLessThan(100_000);
    }

    @Test
    void keepsTextsThatCannotBeCompressed() {
        var random = new Random(1);
        var text = new byte[500_000];
        random.nextBytes(text);

        long place = texts.add(text);
        texts.end();

        assertThat(texts.text(place)).isEqualTo(text);
        assertThat(room).hasValueLessThan((1 << 20) - 500_000);
    }

    @Test
    void refusesTextsThatNoPlaceCanName() {
        assertThatIllegalArgumentException().isThrownBy(() -> texts.add(new byte[1 << 20]));
    }

    @Test
    void keepsAnEmptyText() {
        long place = texts.add(new byte[0]);
        texts.end();

        assertThat(texts.text(place)).isEmpty();
    }
}
