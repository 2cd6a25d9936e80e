package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Whether the caller may do something. There is no authorization here, so everybody may do everything, and that is
/// what is answered, as a server that runs with AlwaysAllow does.
final class AccessReviews {
    private static final String VERSION = "authorization.k8s.io/v1";
    private static final String KIND = "SelfSubjectAccessReview";
    private static final String PATH = "/apis/" + VERSION + "/selfsubjectaccessreviews";

    private AccessReviews() {}

    static boolean meant(String path) {
        return path.equals(PATH);
    }

    /// The review comes back with an answer in it; nothing is kept.
    static Answer answer(String method, ObjectNode review) {
        if (!method.equals("POST")) {
            throw Verbs.notAllowed();
        }
        ObjectNode answer = review.deepCopy().put("apiVersion", VERSION).put("kind", KIND);
        answer.putObject("status").put("allowed", true);
        return new Answer(201, answer);
    }
}
