/// Snapshot transfer into pods: both sides, and the work on the data in the pod.
@NullMarked
package io.github.etcdgitops.receive;

import org.jspecify.annotations.NullMarked;
