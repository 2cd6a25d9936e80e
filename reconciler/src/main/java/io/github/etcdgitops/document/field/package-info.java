/// Fields that several kinds of documents share, and the checks that a schema cannot express.
@NullMarked
package io.github.etcdgitops.document.field;

import org.jspecify.annotations.NullMarked;
