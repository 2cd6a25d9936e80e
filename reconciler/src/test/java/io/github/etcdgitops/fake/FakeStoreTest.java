package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStoreContract;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FakeStoreTest extends BackupStoreContract {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private FakeStore fake;

    @Override
    protected BackupStore openEmpty() {
        fake = new FakeStore("memory://one", now::get);
        return fake;
    }

    @Override
    protected BackupStore openAnHourLater() {
        now.updateAndGet(t -> t.plus(Duration.ofHours(1)));
        return fake;
    }

    @Override
    protected int part() {
        return 1000;
    }

    @Test
    void failsOnlyNthOperation() throws Exception {
        fake.failAt(2, Kind.UNREACHABLE);

        var upload = fake.create("one");
        upload.write(content(10));
        assertThat(streamFailure(upload::complete).kind()).isEqualTo(Kind.UNREACHABLE);
        upload.close();
        write(fake, "two", content(10));

        assertThat(fake.keys()).containsExactly("two");
    }

    @Test
    void breaksAfterSoManyBytesOnce() throws Exception {
        fake.breakAfter(15);

        assertThat(streamFailure(() -> write(fake, "one", content(16))).kind()).isEqualTo(Kind.UNREACHABLE);
        write(fake, "one", content(16));
        fake.breakAfter(15);

        try (var in = fake.open("one")) {
            assertThat(streamFailure(in::readAllBytes).kind()).isEqualTo(Kind.UNREACHABLE);
        }
    }

    @Test
    void refusesToDeleteLockedObject() {
        fake.create("one", content(1));
        fake.lock("one");

        assertThat(failure(() -> fake.delete("one")).kind()).isEqualTo(Kind.REJECTED);
        assertThat(fake.keys()).containsExactly("one");
    }
}
