package io.github.etcdgitops.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Account;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.util.Locale;
import java.util.Optional;

/// Our account at the forge, which distinguishes our comments from others: anyone can write our marker into
/// a comment.
sealed interface Writer {
    /// The forge reported it.
    record Told(Account account) implements Writer {}

    /// The forge did not report it, as for the token of a job or of an app.
    record Named(String name) implements Writer {}

    /// `given` is the user's setting and `usual` the account whose tokens jobs have here. If the token's
    /// account differs, the user's assumption about it is wrong.
    static Writer of(Forge forge, Optional<String> given, Optional<String> usual) {
        var told = forge.self();
        if (told.isEmpty()) {
            return given.or(() -> usual)
                    .map(Named::new)
                    .orElseThrow(() -> new GatewayException(Kind.REJECTED, false, """
                        the forge does not tell the account of this token, as with the token of an app: name it with \
                        --author, so that no comment of somebody else is changed\
                        """));
        }
        if (given.isPresent() && !sameName(given.get(), told.get().name())) {
            throw new GatewayException(
                    Kind.REJECTED, false, "the token belongs to another account than --author " + given.get());
        }
        return new Told(told.get());
    }

    /// GitHub gives only its apps names in brackets, and also marks them as programs.
    default boolean wrote(Account author) {
        return switch (this) {
            case Told(Account account) -> account.id() == author.id();
            case Named(String name) -> sameName(name, author.name()) && (!name.endsWith("[bot]") || author.bot());
        };
    }

    private static boolean sameName(String a, String b) {
        return a.toLowerCase(Locale.ROOT).equals(b.toLowerCase(Locale.ROOT));
    }
}
