package io.github.etcdgitops.it;

import java.util.Comparator;
import java.util.HashMap;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// Starts the classes that wait for real processes and those that play worlds first, in turn, and the rest after them:
/// so both processors have work all the time, and no long class is left alone at the end.
final class LongOnesFirst implements ClassOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
        var classes = context.getClassDescriptors();
        var turns = new HashMap<ClassDescriptor, Integer>();
        int waits = 0;
        int plays = 0;
        for (var each : classes) {
            String name = each.getTestClass().getName();
            if (name.endsWith("IT")) {
                turns.put(each, waits++);
            } else if (name.contains(".worlds.")) {
                turns.put(each, plays++);
            }
        }
        classes.sort(Comparator.comparingInt(each -> turns.getOrDefault(each, Integer.MAX_VALUE)));
    }
}
