/// Effects: starting rings from a backup, or from what is left of them.
@NullMarked
package io.github.etcdgitops.execute.restore;

import org.jspecify.annotations.NullMarked;
