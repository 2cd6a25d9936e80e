/// When runs begin: crontabs as Kubernetes reads them, on Quartz.
@NullMarked
package io.github.etcdgitops.schedule;

import org.jspecify.annotations.NullMarked;
