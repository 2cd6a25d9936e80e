/// The values in documents: versions, quantities, names, addresses, features.
@NullMarked
package io.github.etcdgitops.spec.value;

import org.jspecify.annotations.NullMarked;
