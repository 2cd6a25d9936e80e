/// Effects: members are looked at, restarted and replaced.
@NullMarked
package io.github.etcdgitops.execute.repair;

import org.jspecify.annotations.NullMarked;
