/// What the operator of the reconciler lets credentials be used for. It stands outside Git, so that whoever writes a
/// document never chooses both a secret and who receives it. Pure.
@NullMarked
package io.github.etcdgitops.place;

import org.jspecify.annotations.NullMarked;
