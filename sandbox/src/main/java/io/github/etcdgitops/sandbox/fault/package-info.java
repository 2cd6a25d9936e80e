/// What can be made to go wrong on request.
@NullMarked
package io.github.etcdgitops.sandbox.fault;

import org.jspecify.annotations.NullMarked;
