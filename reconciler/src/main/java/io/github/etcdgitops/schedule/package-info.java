/// Starts runs at the times of a crontab, as Kubernetes reads it, with Quartz.
@NullMarked
package io.github.etcdgitops.schedule;

import org.jspecify.annotations.NullMarked;
