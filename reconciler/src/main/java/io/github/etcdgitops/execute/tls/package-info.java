/// Effects: issuing, renewing and verifying certificates.
@NullMarked
package io.github.etcdgitops.execute.tls;

import org.jspecify.annotations.NullMarked;
