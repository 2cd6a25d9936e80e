/// Reading what servers send, with limits to its size and its time.
@NullMarked
package io.github.etcdgitops.gateway.bounded;

import org.jspecify.annotations.NullMarked;
