package io.github.etcdgitops.it;

import java.util.Comparator;
import java.util.HashMap;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// Spreads the classes that wait for real processes, and those that play worlds, over the first part of a run: while
/// some wait others work, and no long class is left alone at the end.
final class LongOnesFirst implements ClassOrderer {
    private static final int WAITING = 5;
    private static final int PLAYING = 3;

    @Override
    public void orderClasses(ClassOrdererContext context) {
        var turns = new HashMap<ClassDescriptor, Integer>();
        int waiting = 0;
        int playing = 0;
        int rest = 0;
        for (var each : context.getClassDescriptors()) {
            String name = each.getTestClass().getName();
            if (name.endsWith("IT")) {
                turns.put(each, WAITING * waiting++);
            } else if (name.contains(".worlds.")) {
                turns.put(each, PLAYING * playing++);
            } else {
                turns.put(each, rest++);
            }
        }
        context.getClassDescriptors().sort(Comparator.comparing(turns::get));
    }
}
