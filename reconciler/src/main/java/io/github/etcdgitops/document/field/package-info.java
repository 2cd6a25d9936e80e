/// Fields that several kinds of documents share, and the checks that the schema cannot say.
@NullMarked
package io.github.etcdgitops.document.field;

import org.jspecify.annotations.NullMarked;
