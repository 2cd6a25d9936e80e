/// Checks everything that a run needs and says what is wrong and how to fix it. `…Exam` collects facts,
/// `…Facts` are the facts, `…Checks` judges only the facts.
@NullMarked
package io.github.etcdgitops.doctor;

import org.jspecify.annotations.NullMarked;
