/// Run metrics in Prometheus' text format, for a scrape, a file or a Pushgateway.
@NullMarked
package io.github.etcdgitops.telemetry;

import org.jspecify.annotations.NullMarked;
