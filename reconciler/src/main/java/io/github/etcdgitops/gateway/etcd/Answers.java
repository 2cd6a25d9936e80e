package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Converts etcd's answers to our own records.
final class Answers {
    /// From 3.4 on CORRUPT names no member, and an ID of 0 is left out of the text (seen on 3.4.23, 3.5.16
    /// and 3.5.30).
    private static final Pattern ALARM = Pattern.compile("(?:memberID:(\\d{1,20})\\s+)?alarm:(NOSPACE|CORRUPT)\\s*");

    /// A value of etcd's AlarmType; the client's copy does not have it.
    static final int CORRUPT = 2;

    private Answers() {}

    static Optional<EtcdVersion> version(StatusResponse answer) {
        return EtcdVersion.parse(answer.getVersion());
    }

    /// Servers before 3.4 do not report what they have applied nor how much of the file is in use. The
    /// newest log index stands in for the former, and the file size for the latter: neither a lag nor a
    /// need for defragmentation is visible on them.
    static MemberState.Status status(StatusResponse answer, EtcdVersion version, boolean alarmsKnown) {
        long applied = answer.getRaftAppliedIndex();
        long inUse = answer.getDbSizeInUse();
        return new MemberState.Status(
                version,
                id(answer.getLeader()),
                new MemberState.Position(
                        answer.getRaftTerm(),
                        applied == 0 ? answer.getRaftIndex() : applied,
                        answer.getHeader().getRevision()),
                answer.getDbSize(),
                inUse == 0 ? answer.getDbSize() : inUse,
                errors(answer, alarmsKnown));
    }

    private static List<String> errors(StatusResponse answer, boolean alarmsKnown) {
        var told = answer.getErrorsList().stream().map(Answers::error);
        return Stream.concat(told, alarmsKnown ? Stream.empty() : Stream.of(MemberState.Status.ALARMS_UNKNOWN))
                .toList();
    }

    static MemberState member(Member listed, EtcdId self, MemberState.Status status) {
        var id = new EtcdId(listed.getID());
        return new MemberState(
                id,
                listed.getName(),
                listed.getPeerURLsList(),
                listed.getClientURLsList(),
                listed.getIsLearner(),
                id.equals(self) ? Observed.known(status) : Observed.unknown("not asked"));
    }

    /// The alarms of the whole ring, which servers from 3.4 on include in their status.
    static List<String> alarms(StatusResponse answer) {
        return answer.getErrorsList().stream()
                .flatMap(text -> alarm(text).stream())
                .toList();
    }

    /// For example `NOSPACE 8e9e05c52164694d`.
    static String alarm(AlarmMember raised) {
        String kind = raised.getAlarmValue() == CORRUPT
                ? Space.CORRUPT
                : raised.getAlarm().toString();
        return kind + " " + new EtcdId(raised.getMemberID());
    }

    private static String error(String text) {
        if (text.equals("etcdserver: no leader")) {
            return MemberState.Status.NO_LEADER;
        }
        return alarm(text).orElse("an error that is not known here; see the member's log");
    }

    private static Optional<String> alarm(String text) {
        var match = ALARM.matcher(text);
        return match.matches()
                ? Optional.of(match.group(2) + " "
                        + new EtcdId(Optional.ofNullable(match.group(1))
                                .map(Long::parseUnsignedLong)
                                .orElse(0L)))
                : Optional.empty();
    }

    private static Optional<EtcdId> id(long value) {
        return value == 0 ? Optional.empty() : Optional.of(new EtcdId(value));
    }
}
