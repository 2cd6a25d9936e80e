package io.github.etcdgitops.sandbox.objects;

import java.io.Serial;
import java.util.List;
import java.util.Optional;

/// An answer that is not the object: what an API server says in a `Status`.
public final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient Optional<Subject> subject;
    private final transient List<Cause> causes;

    /// One field that is wrong, as `details.causes` has it.
    public record Cause(String reason, String field, String message) {}

    /// What the answer is about, as `details` has it.
    public record Subject(String name, String group, String kind) {
        static Subject of(Resource resource, String name) {
            return new Subject(name, resource.group(), resource.plural());
        }
    }

    private Refusal(int code, String reason, String message, Optional<Subject> subject, List<Cause> causes) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.subject = subject;
        this.causes = List.copyOf(causes);
    }

    public Refusal(int code, String reason, String message) {
        this(code, reason, message, Optional.empty(), List.of());
    }

    public static Refusal badRequest(String why) {
        return new Refusal(400, "BadRequest", why);
    }

    public static Refusal notFound(Resource resource, String name) {
        return about(404, "NotFound", resource, name, " not found");
    }

    public static Refusal alreadyExists(Resource resource, String name) {
        return about(409, "AlreadyExists", resource, name, " already exists");
    }

    public static Refusal forbidden(Resource resource, String name, String why) {
        return about(403, "Forbidden", resource, name, " is forbidden: " + why);
    }

    private static Refusal about(int code, String reason, Resource resource, String name, String what) {
        String message = resource.qualifiedPlural() + " \"" + name + "\"" + what;
        return new Refusal(code, reason, message, Optional.of(Subject.of(resource, name)), List.of());
    }

    public static Refusal conflict(Resource resource, String name, String why) {
        String message = "Operation cannot be fulfilled on " + resource.qualifiedPlural() + " \"" + name + "\": " + why;
        return new Refusal(409, "Conflict", message, Optional.of(Subject.of(resource, name)), List.of());
    }

    /// What is wrong with the fields of an object.
    public static Refusal invalid(Resource resource, String name, List<Cause> causes) {
        String group = resource.group();
        String kind = resource.kind() + (group.isEmpty() ? "" : "." + group);
        List<String> all = causes.stream()
                .map(c -> c.field() + ": " + c.message())
                .distinct()
                .toList();
        String why = all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]";
        return new Refusal(
                422,
                "Invalid",
                kind + " \"" + name + "\" is invalid: " + why,
                Optional.of(new Subject(name, group, resource.kind())),
                causes);
    }

    /// A refusal with causes that are no fields of an object.
    public Refusal because(Cause cause) {
        return new Refusal(code, reason, String.valueOf(getMessage()), subject, List.of(cause));
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public Optional<Subject> subject() {
        return subject;
    }

    public List<Cause> causes() {
        return causes;
    }
}
