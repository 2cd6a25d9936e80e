package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.time.Crontab;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/// Fields that depend on the wall clock: crontabs and time zones.
public final class ClockFields {
    private ClockFields() {}

    public static void crontab(YamlDocument document, Findings findings, String... path) {
        document.text(path).ifPresent(text -> crontab(findings, List.of(path), text));
    }

    private static void crontab(Findings findings, List<String> path, String text) {
        String field = "`" + Shown.path(path) + "`";
        try {
            if (!Crontab.parse(text).comes()) {
                findings.at(
                        path,
                        "crontab-never-comes",
                        field + " is " + Shown.quoted(text)
                                + "; none of its months has such a day, so it never matches.",
                        "For the first day of each month, write \"0 3 1 * *\".");
            }
        } catch (IllegalArgumentException e) {
            findings.at(
                    path,
                    "bad-crontab",
                    field + " is wrong: " + e.getMessage() + ".",
                    "For example \"0 3 * * *\", each day at three.");
        }
    }

    /// Only zones of the time zone database have rules for summer and winter; an offset such as `GMT+2` has
    /// none.
    public static void timeZone(YamlDocument document, Findings findings, String... path) {
        document.text(path)
                .filter(name -> findings.noneAt(List.of(path)) && zone(name).isEmpty())
                .ifPresent(name -> {
                    var trouble = TimeZones.trouble(name);
                    findings.at(
                            List.of(path),
                            "unknown-time-zone",
                            "`" + Shown.path(List.of(path)) + "` is " + Shown.quoted(name) + ", " + trouble.what()
                                    + ".",
                            trouble.remedy());
                });
    }

    public static Optional<ZoneId> zone(String name) {
        return TimeZones.find(name);
    }

    public static Optional<ZoneId> zone(YamlDocument document, String... path) {
        return document.text(path).flatMap(ClockFields::zone);
    }
}
