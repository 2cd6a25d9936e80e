package io.github.etcdgitops.sandbox.image;

import java.io.Serial;

/// An image that cannot be had here; the message says why, and what to do.
public final class ImageUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ImageUnavailable(String message) {
        super(message);
    }
}
