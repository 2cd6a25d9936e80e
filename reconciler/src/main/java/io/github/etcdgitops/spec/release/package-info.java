/// What is known about the releases of etcd: lines, hazards, advisories, settings.
@NullMarked
package io.github.etcdgitops.spec.release;

import org.jspecify.annotations.NullMarked;
