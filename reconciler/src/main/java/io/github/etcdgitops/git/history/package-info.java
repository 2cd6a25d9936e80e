/// What the history tells: which commit brought which words, who wrote them, and what was rewritten.
@NullMarked
package io.github.etcdgitops.git.history;

import org.jspecify.annotations.NullMarked;
