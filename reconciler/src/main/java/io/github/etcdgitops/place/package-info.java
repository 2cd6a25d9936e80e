/// Where the operator of the reconciler allows credentials. This is stored outside Git, so that the author
/// of a document never chooses both a secret and its receiver. Pure.
@NullMarked
package io.github.etcdgitops.place;

import org.jspecify.annotations.NullMarked;
