/// What the doctor was told.
@NullMarked
package io.github.etcdgitops.doctor.fact;

import org.jspecify.annotations.NullMarked;
