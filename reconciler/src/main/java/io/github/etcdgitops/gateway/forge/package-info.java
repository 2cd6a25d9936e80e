/// The forges that reviews are written to: GitHub, GitLab, and Gitea with its compatible forges. It uses
/// the JDK's own HTTP client, because three requests per forge do not justify three libraries. The token
/// goes only to the host of the API.
@NullMarked
package io.github.etcdgitops.gateway.forge;

import org.jspecify.annotations.NullMarked;
