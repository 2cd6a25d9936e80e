package io.github.etcdgitops.document.field;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The address of one stored object: `s3://bucket/key`, `gs://bucket/key` or `file:///path`. Nothing in it
/// is decoded. A query is refused: it would hold a signature, which is a secret.
public record ObjectUrl(Scheme scheme, String place, String key) {
    private static final String CHARACTER = "[^\\p{Cntrl}?\\\\]";
    private static final Pattern UPWARDS = Pattern.compile("(^|.*/)[.]{1,2}(/.*|$)");

    public enum Scheme implements WireName {
        S3("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(" + CHARACTER + "{1,1024})"),
        GS("gs://([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])/(" + CHARACTER + "{1,1024})"),
        FILE("file://((?:/[^\\p{Cntrl}?\\\\/]{1,255})*)/([^\\p{Cntrl}?\\\\/]{1,255})");

        private final Pattern form;

        Scheme(String form) {
            this.form = Pattern.compile(form);
        }

        public String title() {
            return wire();
        }

        /// Options that further describe the object's location.
        public List<String> options() {
            return switch (this) {
                case S3 -> List.of("endpoint", "region", "pathStyle", "credentialsRef");
                case GS -> List.of("endpoint", "credentialsRef");
                case FILE -> List.of();
            };
        }

        @Override
        public String wire() {
            return switch (this) {
                case S3 -> "s3";
                case GS -> "gs";
                case FILE -> "file";
            };
        }
    }

    public static Optional<ObjectUrl> parse(String text) {
        return Arrays.stream(Scheme.values())
                .flatMap(scheme -> parse(scheme, text).stream())
                .findFirst();
    }

    private static Optional<ObjectUrl> parse(Scheme scheme, String text) {
        var match = scheme.form.matcher(text);
        if (!match.matches()
                || match.group(2).endsWith("/")
                || UPWARDS.matcher(match.group(1)).matches()
                || UPWARDS.matcher(match.group(2)).matches()) {
            return Optional.empty();
        }
        return Optional.of(new ObjectUrl(scheme, match.group(1), match.group(2)));
    }
}
