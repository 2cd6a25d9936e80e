/// The report as one HTML page that loads nothing from outside. Pure.
@NullMarked
package io.github.etcdgitops.report.page;

import org.jspecify.annotations.NullMarked;
