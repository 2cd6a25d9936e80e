/// YAML as a tree with locations: file, line, column.
@NullMarked
package io.github.etcdgitops.document.yaml;

import org.jspecify.annotations.NullMarked;
