/// Effects: restarting members one after the other.
@NullMarked
package io.github.etcdgitops.execute.roll;

import org.jspecify.annotations.NullMarked;
