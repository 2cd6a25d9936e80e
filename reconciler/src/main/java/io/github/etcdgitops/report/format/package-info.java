/// Output formats: JSON, JUnit, SARIF, annotations of CI systems, and emphasis on a terminal.
@NullMarked
package io.github.etcdgitops.report.format;

import org.jspecify.annotations.NullMarked;
