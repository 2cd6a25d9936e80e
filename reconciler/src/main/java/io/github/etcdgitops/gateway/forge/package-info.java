/// The forges that reviews are written to: GitHub, GitLab, and Gitea with what speaks its API. Over the JDK's own HTTP
/// client, because three requests of each do not pay for three libraries. The token goes to the host of the API alone.
@NullMarked
package io.github.etcdgitops.gateway.forge;

import org.jspecify.annotations.NullMarked;
