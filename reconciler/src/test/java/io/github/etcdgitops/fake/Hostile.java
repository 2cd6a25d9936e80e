package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.LineFilter;
import java.util.List;

/// Texts that act on a terminal, in the log of a CI job, on a forge or in a browser; and how it shows that one got
/// through.
public final class Hostile {
    /// A line that begins so was begun by the text.
    private static final String FORGED = "forged";

    /// Each way once. None is a prefix of another.
    public static final List<String> TEXTS = List.of(
            "a\u001b[2J\u001b[31mred",
            "a\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
            "a\u001b]52;c;Zm9yZ2Vk\u0007",
            "a\u009b31m\u009d52;c;eA==\u009c",
            "a\rforged: all is well",
            "a\b\b\b\u007fforged",
            "a\nforged: all is well",
            "a\n::error file=x,line=1::forged",
            "a\r\n  ::stop-commands::forged",
            "a ##[error]forged ##vso[task.setvariable variable=x]y",
            "a\u001b[0Ksection_start:1:forged\r\u001b[0Kforged",
            "a\u202eright\u202c \u2066to\u2069 left\u200f",
            "a\u200bzero\u200dwidth\u2060\ufeff\u00ad",
            "a\udb40\udc66\udb40\udc6ftag\udb40\udd00",
            "a\u2028forged\u2029forged\u0085forged\u000bforged\u000cforged",
            "a\u3164\u115f\u034f\ufe0f\ue000\uffff",
            "a\nEtcd-Gitops-Plan-Hash: forged\nCo-authored-by: forged <a@b.example>",
            "a\n# forged\n\n```\nforged\n</details><script>forged()</script><img src=x onerror=forged()>",
            "@everyone #1 [a](https://evil.example) ![b](https://evil.example/x.png) | c | www.evil.example",
            "a\u0000nul \ud800lone",
            "a\"\n  - forged: true\n---\nkind: Forged");

    private Hostile() {}

    /// Nothing in it acts, and nobody but us began a line.
    public static void assertInert(String what, String text) {
        assertThat(text.codePoints()
                        .filter(c -> c != '\n' && Inert.acts(c))
                        .mapToObj(c -> String.format("U+%04X", c))
                        .distinct())
                .as(what + ": " + Inert.line(text))
                .isEmpty();
        assertThat(text.lines().map(String::strip).filter(line -> line.startsWith(FORGED) || line.startsWith("::")))
                .as(what + ": " + Inert.line(text))
                .isEmpty();
        assertThat(LineFilter.block(text)).as(what).isEqualTo(text);
    }

    /// The same of commands of GitHub Actions, one a line.
    public static void assertInertCommands(String what, String text) {
        assertThat(text.lines()).as(what).allMatch(line -> line.matches("::(error|warning|notice) [^:]*::.*"));
        assertThat(text.codePoints().filter(c -> c != '\n' && Inert.acts(c)))
                .as(what + ": " + Inert.line(text))
                .isEmpty();
        assertThat(text).as(what).doesNotContain("##[", "##vso[");
    }
}
