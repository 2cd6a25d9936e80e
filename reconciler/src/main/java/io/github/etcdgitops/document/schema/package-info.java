/// The JSON Schemas, and their errors in plain words.
@NullMarked
package io.github.etcdgitops.document.schema;

import org.jspecify.annotations.NullMarked;
