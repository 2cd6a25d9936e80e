/// The certificates of a ring: its own CA, what that issues, and what is wrong with a certificate.
/// Pure but for the randomness of keys: bytes come in and go out, and the time is a parameter. The
/// one place that knows Bouncy Castle.
@NullMarked
package io.github.etcdgitops.certificate;

import org.jspecify.annotations.NullMarked;
