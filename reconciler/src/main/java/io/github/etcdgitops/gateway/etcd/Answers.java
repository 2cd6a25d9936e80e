package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.StatusError;
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
                errors(answer, alarmsKnown),
                DowngradeCall.storage(answer.getUnknownFields()));
    }

    private static List<StatusError> errors(StatusResponse answer, boolean alarmsKnown) {
        Stream<StatusError> reported = answer.getErrorsList().stream().map(Answers::error);
        return Stream.concat(reported, alarmsKnown ? Stream.empty() : Stream.of(StatusError.Plain.ALARMS_UNKNOWN))
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
    static List<Alarm> alarms(StatusResponse answer) {
        return answer.getErrorsList().stream()
                .flatMap(text -> alarm(text).stream())
                .toList();
    }

    static Alarm alarm(AlarmMember raised) {
        var kind = raised.getAlarmValue() == CORRUPT
                ? Alarm.Kind.CORRUPT
                : raised.getAlarm() == AlarmType.NOSPACE ? Alarm.Kind.NOSPACE : Alarm.Kind.UNKNOWN;
        return new Alarm(kind, new EtcdId(raised.getMemberID()));
    }

    private static StatusError error(String text) {
        if (text.equals("etcdserver: no leader")) {
            return StatusError.Plain.NO_LEADER;
        }
        return alarm(text).<StatusError>map(alarm -> alarm).orElse(StatusError.Plain.UNFAMILIAR);
    }

    private static Optional<Alarm> alarm(String text) {
        var match = ALARM.matcher(text);
        return match.matches()
                ? WireName.find(Alarm.Kind.values(), match.group(2))
                        .map(kind -> new Alarm(
                                kind,
                                new EtcdId(Optional.ofNullable(match.group(1))
                                        .map(Long::parseUnsignedLong)
                                        .orElse(0L))))
                : Optional.empty();
    }

    private static Optional<EtcdId> id(long value) {
        return value == 0 ? Optional.empty() : Optional.of(new EtcdId(value));
    }
}
