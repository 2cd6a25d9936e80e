/// One reader for each kind of document.
@NullMarked
package io.github.etcdgitops.document.kind;

import org.jspecify.annotations.NullMarked;
