/// Ports to the outside world, in our own records. Adapters live below; fakes live with the tests.
@NullMarked
package io.github.etcdgitops.gateway;

import org.jspecify.annotations.NullMarked;
