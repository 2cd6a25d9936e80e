/// The objects over HTTP, as kubectl and any other client of Kubernetes expect them.
@NullMarked
package io.github.etcdgitops.sandbox.api;

import org.jspecify.annotations.NullMarked;
