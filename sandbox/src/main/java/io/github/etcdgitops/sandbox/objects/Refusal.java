package io.github.etcdgitops.sandbox.objects;

import java.io.Serial;
import java.util.List;

/// An answer that is not the object: what an API server says in a `Status`.
public final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient List<Cause> causes;

    /// One field that is wrong, as `details.causes` has it.
    public record Cause(String reason, String field, String message) {}

    public Refusal(int code, String reason, String message, List<Cause> causes) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.causes = List.copyOf(causes);
    }

    public Refusal(int code, String reason, String message) {
        this(code, reason, message, List.of());
    }

    public static Refusal notFound(Resource resource, String name) {
        return new Refusal(404, "NotFound", resource.plural() + " \"" + name + "\" not found");
    }

    public static Refusal conflict(Resource resource, String name, String why) {
        return new Refusal(
                409, "Conflict", "Operation cannot be fulfilled on " + resource.plural() + " \"" + name + "\": " + why);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public List<Cause> causes() {
        return causes;
    }
}
