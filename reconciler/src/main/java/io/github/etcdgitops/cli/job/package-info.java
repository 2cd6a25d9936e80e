/// Commands that only our own Jobs and pods run.
@NullMarked
package io.github.etcdgitops.cli.job;

import org.jspecify.annotations.NullMarked;
