/// The report as one HTML page that asks for nothing outside of itself. Pure.
@NullMarked
package io.github.etcdgitops.report.page;

import org.jspecify.annotations.NullMarked;
