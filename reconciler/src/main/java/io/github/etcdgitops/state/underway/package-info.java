/// Unfinished changes: creations, joins, inspections, and volumes that are retained or receive a snapshot.
@NullMarked
package io.github.etcdgitops.state.underway;

import org.jspecify.annotations.NullMarked;
