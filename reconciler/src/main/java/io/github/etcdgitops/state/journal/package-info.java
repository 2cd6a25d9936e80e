/// The contents of a ring's journal: what is under way, what was done, what was tried.
@NullMarked
package io.github.etcdgitops.state.journal;

import org.jspecify.annotations.NullMarked;
