/// Taking over a running ring that somebody else has made. Pure.
@NullMarked
package io.github.etcdgitops.ring.adoption;

import org.jspecify.annotations.NullMarked;
