/// The questions that the doctor asks.
@NullMarked
package io.github.etcdgitops.doctor.exam;

import org.jspecify.annotations.NullMarked;
