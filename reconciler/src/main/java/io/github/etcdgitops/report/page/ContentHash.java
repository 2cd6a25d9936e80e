package io.github.etcdgitops.report.page;

import io.github.etcdgitops.digest.Digests;
import java.util.Base64;

/// How a content security policy names a script or a style that may be used.
final class ContentHash {
    private ContentHash() {}

    static String of(String content) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Digests.of(content)) + "'";
    }
}
