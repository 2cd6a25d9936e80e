/// Backups as files: taking, verifying, listing and reading them, through the ports of `gateway`. It knows
/// neither plans nor Kubernetes.
@NullMarked
package io.github.etcdgitops.backup;

import org.jspecify.annotations.NullMarked;
