package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What is sent back, as JSON.
record Answer(int code, ObjectNode body) {
    static Answer ok(ObjectNode body) {
        return new Answer(200, body);
    }
}
