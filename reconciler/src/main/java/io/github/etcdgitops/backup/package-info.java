/// Backups as files: taking, proving, listing and reading them, through the ports of `gateway`. Knows no
/// ring's plan and no Kubernetes.
@NullMarked
package io.github.etcdgitops.backup;

import org.jspecify.annotations.NullMarked;
