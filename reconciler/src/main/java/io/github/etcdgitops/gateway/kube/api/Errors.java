package io.github.etcdgitops.gateway.kube.api;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// Unwraps the exception of a future. A cause's own message is never printed: it may quote a server.
public final class Errors {
    private Errors() {}

    public static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        while (root instanceof ExecutionException || root instanceof CompletionException) {
            Throwable cause = root.getCause();
            if (cause == null) {
                return root;
            }
            root = cause;
        }
        return root;
    }

    public static String name(Throwable thrown) {
        return root(thrown).getClass().getSimpleName();
    }
}
