/// The JSON Schemas, and what their complaints mean in plain words.
@NullMarked
package io.github.etcdgitops.document.schema;

import org.jspecify.annotations.NullMarked;
