/// What the history shows: which commit brought which text, who wrote it, and what was rewritten.
@NullMarked
package io.github.etcdgitops.git.history;

import org.jspecify.annotations.NullMarked;
