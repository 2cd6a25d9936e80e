package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.util.List;

/// The valid keys, the same for every location: a key must not lead out of the directory of a file store,
/// and a backup must be movable from one location to another.
public final class ObjectKey {
    /// Prefix of the names of files that are not objects yet.
    public static final String RESERVED = ".etcd-gitops-";

    private static final int LENGTH = 900;
    private static final int SEGMENT = 200;

    private ObjectKey() {}

    public static String require(String key) {
        return checked("key", key, List.of(key.split("/", -1)));
    }

    /// A prefix is empty or ends with a slash.
    public static String requirePrefix(String prefix) {
        if (prefix.isEmpty()) {
            return prefix;
        }
        if (!prefix.endsWith("/")) {
            throw refused("prefix", prefix, "must end with a slash");
        }
        checked(
                "prefix",
                prefix,
                List.of(prefix.substring(0, prefix.length() - 1).split("/", -1)));
        return prefix;
    }

    private static String checked(String kind, String text, List<String> segments) {
        if (text.length() > LENGTH) {
            throw refused(kind, text.substring(0, 40) + "…", "has more than " + LENGTH + " characters");
        }
        for (String segment : segments) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw refused(kind, text, "must not be absolute and must not have an empty segment, . or ..");
            }
            if (segment.length() > SEGMENT || segment.startsWith(RESERVED)) {
                throw refused(kind, text, "has a segment that is too long or begins with " + RESERVED);
            }
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\')) {
            throw refused(kind, text.replaceAll("[^!-~]", "?"), "may have only visible ASCII characters, and no \\");
        }
        return text;
    }

    private static GatewayException refused(String kind, String text, String why) {
        return new GatewayException(Kind.REJECTED, false, "the " + kind + " '" + text + "' " + why);
    }
}
