package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.ProcessFacts;
import java.util.ArrayList;
import java.util.List;

/// Judges this process as the process of a run.
final class ProcessChecks {
    private static final int JAVA = 25;

    private ProcessChecks() {}

    static List<Check> of(ProcessFacts facts) {
        var checks = new ArrayList<Check>();
        checks.add(java(facts));
        checks.add(zone(facts));
        checks.addAll(new CheckSequence("")
                .then(
                        "cache directory",
                        facts.cache(),
                        folder -> folder + " can be written",
                        "let this user write there, or name another folder with --cache-dir")
                .then(
                        "temporary directory",
                        facts.temporary(),
                        folder -> folder + " can be written",
                        "mount a writable folder there, or name another one:"
                                + " ETCD_GITOPS_JAVA_OPTS=-Djava.io.tmpdir=FOLDER")
                .checks());
        checks.add(settings(facts.settings()));
        return List.copyOf(checks);
    }

    private static Check java(ProcessFacts facts) {
        return facts.javaFeature() == JAVA
                ? new Check.Ok("java", facts.java())
                : new Check.Warning(
                        "java",
                        facts.java() + "; etcd-gitops is tested on Java " + JAVA + " only",
                        List.of("run it on a Java " + JAVA + ": set JAVA_HOME to one"));
    }

    /// Java silently uses GMT for an unknown zone.
    private static Check zone(ProcessFacts facts) {
        boolean misspelt = facts.zoneAsked()
                .filter(asked -> !asked.isEmpty() && !asked.equals(facts.zone()))
                .filter(_ -> facts.zone().equals("GMT"))
                .isPresent();
        return misspelt
                ? new Check.Warning(
                        "time zone",
                        "TZ names a zone that Java does not know; GMT is taken instead",
                        List.of("set TZ to a name like Europe/Berlin, or take it away"))
                : new Check.Ok("time zone", facts.zone() + " (reports are in UTC everywhere)");
    }

    private static Check settings(ProcessFacts.Settings settings) {
        var sources = new ArrayList<String>();
        if (!settings.variables().isEmpty()) {
            sources.add("environment: " + String.join(", ", settings.variables()));
        }
        settings.file().ifPresent(file -> sources.add("file: " + file));
        return new Check.Ok(
                "settings",
                sources.isEmpty()
                        ? "from the command line alone"
                        : String.join("; ", sources) + " (the command line wins)");
    }
}
