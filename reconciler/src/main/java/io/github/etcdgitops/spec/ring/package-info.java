/// A ring as its document describes it, the fleet's defaults and tenants, and the rules for rings.
@NullMarked
package io.github.etcdgitops.spec.ring;

import org.jspecify.annotations.NullMarked;
