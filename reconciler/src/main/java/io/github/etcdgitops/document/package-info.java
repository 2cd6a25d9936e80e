/// YAML and JSON Schema: reads user files into typed specs, and reports every violation with file, line and
/// column.
@NullMarked
package io.github.etcdgitops.document;

import org.jspecify.annotations.NullMarked;
