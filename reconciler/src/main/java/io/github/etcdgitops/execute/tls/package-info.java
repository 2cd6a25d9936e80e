/// Effects: certificates are issued, renewed and proven.
@NullMarked
package io.github.etcdgitops.execute.tls;

import org.jspecify.annotations.NullMarked;
