package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.BackupFacts;
import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.doctor.fact.ProcessFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// All results of the checks.
public record Diagnosis(List<Section> sections) {
    public Diagnosis {
        sections = List.copyOf(sections);
    }

    public record Section(String title, List<Check> checks) {
        public Section {
            checks = List.copyOf(checks);
        }
    }

    /// `write` is whether the right to push was checked.
    public static Diagnosis of(
            ProcessFacts process,
            GitFacts git,
            boolean write,
            ClusterFacts cluster,
            Expected expected,
            Fact<MemberFacts> members,
            Fact<BackupFacts> backups) {
        var gitChecks = GitChecks.of(git, write);
        var clusterChecks = ClusterChecks.of(cluster, expected);
        return new Diagnosis(List.of(
                new Section("Configuration", ProcessChecks.of(process)),
                new Section("Git", gitChecks),
                new Section("Kubernetes", clusterChecks),
                new Section("Members", MemberChecks.of(members, CheckSequence.brokenIn(clusterChecks))),
                new Section("Backups", BackupChecks.of(backups, CheckSequence.brokenIn(gitChecks)))));
    }

    /// The problems that would end a run; the exit codes decide which is worse.
    public Set<Trouble> troubles() {
        var troubles = EnumSet.noneOf(Trouble.class);
        sections.stream().flatMap(s -> s.checks().stream()).forEach(check -> {
            if (check instanceof Check.Failed failed) {
                troubles.add(failed.trouble());
            }
        });
        return troubles;
    }
}
