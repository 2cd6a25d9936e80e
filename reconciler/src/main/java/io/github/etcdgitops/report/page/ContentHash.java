package io.github.etcdgitops.report.page;

import io.github.etcdgitops.digest.Digests;
import java.util.Base64;

/// The hash by which a content security policy allows a script or a style.
final class ContentHash {
    private ContentHash() {}

    static String of(String content) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Digests.of(content)) + "'";
    }
}
