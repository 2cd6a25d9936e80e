package io.github.etcdgitops.gateway.store.gcs;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.ClockSkew;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/// The one place that reads what Google says when it says no. What it hands on are our own words.
final class GcsErrors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> HELD = Set.of("retentionPolicyNotMet", "objectUnderActiveHold", "retained");
    private static final Set<String> FULL = Set.of("quotaExceeded", "dailyLimitExceeded", "storageQuotaExceeded");
    private static final Duration TOLERATED = Duration.ofMinutes(5);

    private GcsErrors() {}

    static boolean worthAnotherTry(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    static GatewayException translate(Call call, HttpResponse<?> response, String reason) {
        int status = response.statusCode();
        if (HELD.contains(reason)) {
            return call.refused(Kind.REJECTED, "the store holds it under a retention policy or a hold");
        }
        if (FULL.contains(reason)) {
            return call.refused(Kind.REJECTED, "a quota of the project is used up; raise it or keep less");
        }
        return switch (status) {
            case 401 -> call.refused(Kind.UNAUTHORIZED, "Google does not accept the token; see the credentials");
            case 403 -> call.refused(Kind.UNAUTHORIZED, """
                access denied; the service account needs the role Storage Object User on the bucket\
                """);
            case 404 -> call.refused(Kind.NOT_FOUND, "there is no such bucket or object");
            case 410 -> call.lost("Google forgot the upload; begin it again");
            case 412 -> call.refused(Kind.CONFLICT, "it exists already");
            case 413 -> call.refused(Kind.REJECTED, "it is larger than the store takes");
            default ->
                worthAnotherTry(status)
                        ? call.lost("the store is overloaded or failing (status " + status + "); try again")
                        : call.refused(Kind.REJECTED, "the store refused with status " + status + shown(reason));
        };
    }

    /// For the place that gives tokens.
    static GatewayException noToken(Call call, HttpResponse<byte[]> response, InstantSource clock) {
        if (worthAnotherTry(response.statusCode())) {
            return call.lost("the token service is overloaded or failing; try again");
        }
        var date = response.headers().firstValue("Date");
        boolean skewed = ClockSkew.of(date, clock)
                .filter(skew -> skew.abs().compareTo(TOLERATED) > 0)
                .isPresent();
        return call.refused(
                Kind.UNAUTHORIZED,
                skewed
                        ? ClockSkew.advice(date, clock)
                        : "Google gives the service account no token: its key was deleted or is not its own, or the"
                                + " account is disabled; make a new key");
    }

    static String reason(byte[] body) {
        try {
            return JSON.readTree(body)
                    .path("error")
                    .path("errors")
                    .path(0)
                    .path("reason")
                    .asText();
        } catch (IOException _) {
            return "";
        }
    }

    /// A reason is shown where it looks like one: it comes from outside.
    private static String shown(String reason) {
        return reason.matches("[A-Za-z]{1,60}") ? " (" + reason + ")" : "";
    }
}
