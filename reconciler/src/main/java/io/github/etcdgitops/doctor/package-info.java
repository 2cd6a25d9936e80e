/// Looks at everything that a run needs and says what is wrong and how to mend it. `…Exam` asks the world, `…Facts`
/// is what it said, `…Checks` judges the facts and nothing else.
@NullMarked
package io.github.etcdgitops.doctor;

import org.jspecify.annotations.NullMarked;
