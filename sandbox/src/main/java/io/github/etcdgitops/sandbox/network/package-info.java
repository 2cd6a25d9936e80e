/// Addresses of pods: each has one of its own on loopback, and a relay where a connection must be cut.
@NullMarked
package io.github.etcdgitops.sandbox.network;

import org.jspecify.annotations.NullMarked;
