/// The certificates of a ring: its own CA, what that CA issues, and checks of certificates. Pure except for
/// the randomness of keys: bytes in, bytes out, and the time is a parameter. The only package that uses
/// Bouncy Castle.
@NullMarked
package io.github.etcdgitops.certificate;

import org.jspecify.annotations.NullMarked;
