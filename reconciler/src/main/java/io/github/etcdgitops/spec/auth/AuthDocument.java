package io.github.etcdgitops.spec.auth;

import io.github.etcdgitops.validation.Location;

/// The EtcdUser or EtcdRole that defines the user or role `name` of a ring. `document` is its own name.
public record AuthDocument(Kind kind, String name, String document, Location source) {
    public enum Kind {
        USER("EtcdUser"),
        ROLE("EtcdRole");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /// The word after `kind:`.
        public String title() {
            return title;
        }
    }
}
