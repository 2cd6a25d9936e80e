/// Both ends of the way that a snapshot takes from the reconciler into a pod, and what is done there with
/// it.
@NullMarked
package io.github.etcdgitops.receive;

import org.jspecify.annotations.NullMarked;
