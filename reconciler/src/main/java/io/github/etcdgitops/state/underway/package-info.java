/// What is half done: foundings, joins, inspections, volumes that were kept or receive a snapshot.
@NullMarked
package io.github.etcdgitops.state.underway;

import org.jspecify.annotations.NullMarked;
