/// The remote repository: addresses, access, connections, and the meaning of transport failures.
@NullMarked
package io.github.etcdgitops.git.remote;

import org.jspecify.annotations.NullMarked;
