/// Tables that commands print.
@NullMarked
package io.github.etcdgitops.report.table;

import org.jspecify.annotations.NullMarked;
