/// Stored backups and their manifests.
@NullMarked
package io.github.etcdgitops.state.backup;

import org.jspecify.annotations.NullMarked;
