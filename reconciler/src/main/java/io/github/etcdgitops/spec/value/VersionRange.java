package io.github.etcdgitops.spec.value;

import java.util.Optional;
import java.util.regex.Pattern;
import org.semver4j.Semver;
import org.semver4j.range.RangeListFactory;

/// Ranges of etcd versions in the notation of npm and Cargo, several with `||`: `>=3.5.16 <3.6.0`, `3.5.x`,
/// `~3.5.16`, `3.4.0 - 3.5.9`. The text is checked first: semver4j ignores what it does not know, so that
/// `[3.5,3.6)` would mean everything from 3.5 on.
public record VersionRange(String text) {
    private static final String NUMBER = "(?:0|[1-9][0-9]{0,3})";
    private static final String VERSION = NUMBER + "(?:[.](?:x|" + NUMBER + "(?:[.](?:x|" + NUMBER + "))?))?";
    private static final String COMPARED = "(?:>=|<=|>|<|=|~|\\^)?" + VERSION;
    private static final String PART = "(?:" + VERSION + " - " + VERSION + "|" + COMPARED + "(?: " + COMPARED + ")*)";
    private static final Pattern FORM = Pattern.compile(PART + "(?: \\|\\| " + PART + ")*");

    public static Optional<VersionRange> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new VersionRange(text)) : Optional.empty();
    }

    public boolean contains(EtcdVersion version) {
        return RangeListFactory.create(text)
                .isSatisfiedBy(Semver.create(version.major(), version.minor(), version.patch()));
    }

    @Override
    public String toString() {
        return text;
    }
}
