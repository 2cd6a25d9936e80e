/// Adoption of a running ring that was created without etcd-gitops. Pure.
@NullMarked
package io.github.etcdgitops.ring.adoption;

import org.jspecify.annotations.NullMarked;
