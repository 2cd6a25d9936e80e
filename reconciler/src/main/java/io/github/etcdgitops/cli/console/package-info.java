/// What all commands share: streams, options, settings, formats, progress, exit codes.
@NullMarked
package io.github.etcdgitops.cli.console;

import org.jspecify.annotations.NullMarked;
