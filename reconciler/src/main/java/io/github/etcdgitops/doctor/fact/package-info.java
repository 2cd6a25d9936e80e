/// The facts that the doctor has collected.
@NullMarked
package io.github.etcdgitops.doctor.fact;

import org.jspecify.annotations.NullMarked;
