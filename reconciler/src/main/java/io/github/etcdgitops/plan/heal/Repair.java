package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import java.util.SortedMap;

/// A repair, and whose places it gives to new members.
public record Repair(Operation operation, SortedMap<Integer, ReplacementSlot> places) {}
