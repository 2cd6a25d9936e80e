/// YAML and JSON Schema: user files to typed specs, every violation with file, line and column.
@NullMarked
package io.github.etcdgitops.document;

import org.jspecify.annotations.NullMarked;
