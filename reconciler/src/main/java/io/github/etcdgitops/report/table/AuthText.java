package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.report.AuthJson;
import io.github.etcdgitops.report.Words;
import io.github.etcdgitops.ring.auth.AuthStanding;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// A ring's users and roles as `status` and the page show them. Nothing here knows a password.
public final class AuthText {
    private static final List<String> TITLES =
            List.of("RING", "AUTHENTICATION", "USERS", "ROLES", "USERS WITHOUT A ROLE", "LAST PASSWORD", "SEEN IN");
    private static final int NAMED = 5;

    private AuthText() {}

    static TextTable table(SortedMap<String, AuthStanding> rings) {
        var cells = new ArrayList<List<String>>();
        rings.forEach((ring, auth) -> cells.add(List.of(
                ring,
                enabled(auth),
                String.valueOf(auth.users()),
                String.valueOf(auth.roles()),
                auth.withoutRole().isEmpty() ? "-" : Few.of(auth.withoutRole(), NAMED),
                auth.passwordsAt().map(Words::minute).orElse("-"),
                AuthJson.source(auth))));
        return new TextTable(TITLES, cells);
    }

    /// In one line.
    public static String line(AuthStanding auth) {
        var parts = new ArrayList<String>();
        parts.add(enabled(auth));
        parts.add(Count.of(auth.users(), "user") + ", " + Count.of(auth.roles(), "role"));
        if (!auth.withoutRole().isEmpty()) {
            parts.add("without a role: " + Few.of(auth.withoutRole(), NAMED));
        }
        auth.passwordsAt().ifPresent(at -> parts.add("last password " + Words.minute(at)));
        if (!auth.read()) {
            parts.add("as the journal says");
        }
        return String.join(" · ", parts);
    }

    private static String enabled(AuthStanding auth) {
        return auth.enabled() ? "enabled" : "not enabled";
    }
}
