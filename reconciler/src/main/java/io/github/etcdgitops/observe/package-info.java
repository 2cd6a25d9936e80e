/// Reads the live state through the ports; failures become Unknown here and nowhere else.
@NullMarked
package io.github.etcdgitops.observe;

import org.jspecify.annotations.NullMarked;
