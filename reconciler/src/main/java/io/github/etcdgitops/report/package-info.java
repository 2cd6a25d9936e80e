/// Plans and run results as JSON, Markdown and terminal text. Pure.
@NullMarked
package io.github.etcdgitops.report;

import org.jspecify.annotations.NullMarked;
