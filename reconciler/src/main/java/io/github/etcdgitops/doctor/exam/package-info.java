/// Collects the facts for the doctor.
@NullMarked
package io.github.etcdgitops.doctor.exam;

import org.jspecify.annotations.NullMarked;
