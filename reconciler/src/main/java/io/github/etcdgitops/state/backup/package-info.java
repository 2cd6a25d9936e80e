/// Stored backups and what their manifests say.
@NullMarked
package io.github.etcdgitops.state.backup;

import org.jspecify.annotations.NullMarked;
