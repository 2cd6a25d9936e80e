/// The remote repository: addresses, access, connections, and what a failure of the transport means.
@NullMarked
package io.github.etcdgitops.git.remote;

import org.jspecify.annotations.NullMarked;
