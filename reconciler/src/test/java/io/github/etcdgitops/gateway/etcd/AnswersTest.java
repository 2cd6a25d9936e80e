package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.StatusError;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Alarm NOSPACE = new Alarm(Alarm.Kind.NOSPACE, EtcdId.parse("8e9e05c52164694d"));
    private static final Alarm CORRUPT_SOMEWHERE = new Alarm(Alarm.Kind.CORRUPT, new EtcdId(0));

    private static final EtcdVersion VERSION = new EtcdVersion(3, 5, 16);

    @Test
    void alarmsAreReadFromTheWordsOfAStatus() {
        var answer = status("memberID:10276657743932975437 alarm:NOSPACE ");

        assertThat(Answers.alarms(answer)).containsExactly(NOSPACE);
        assertThat(errors(answer)).containsExactly(NOSPACE);
    }

    /// As etcd from 3.4 on raises it: an ID of 0 is left out of the text.
    @Test
    void alarmWithoutMemberIsAnAlarm() {
        var answer = status("alarm:CORRUPT ");

        assertThat(Answers.alarms(answer)).containsExactly(CORRUPT_SOMEWHERE);
        assertThat(errors(answer)).containsExactly(CORRUPT_SOMEWHERE);
    }

    /// Servers before 3.4 are asked for the alarms themselves; the client knows no name for the second kind.
    @Test
    void alarmIsSameFromStatusAndFromAlarmList() {
        var corrupt = AlarmMember.newBuilder().setAlarmValue(2);
        var full = AlarmMember.newBuilder().setAlarm(AlarmType.NOSPACE).setMemberID(0x2f);

        assertThat(Answers.alarm(corrupt.build())).isEqualTo(CORRUPT_SOMEWHERE);
        assertThat(Answers.alarm(corrupt.setMemberID(0x2f).build()))
                .isEqualTo(new Alarm(Alarm.Kind.CORRUPT, new EtcdId(0x2f)));
        assertThat(Answers.alarm(full.build())).isEqualTo(new Alarm(Alarm.Kind.NOSPACE, new EtcdId(0x2f)));
    }

    @Test
    void reportsUnknownStatusErrorAsErrorButNotAsAlarm() {
        for (var text :
                List.of("alarm:SOMETHING ", "not alarm:CORRUPT ", "memberID: alarm:CORRUPT ", "etcdserver: x")) {
            assertThat(Answers.alarms(status(text))).as(text).isEmpty();
            assertThat(errors(status(text))).as(text).containsExactly(StatusError.Plain.UNFAMILIAR);
        }
        assertThat(errors(status("etcdserver: no leader"))).containsExactly(StatusError.Plain.NO_LEADER);
    }

    private static List<StatusError> errors(StatusResponse answer) {
        return Answers.status(answer, VERSION, true).errors();
    }

    private static StatusResponse status(String error) {
        return StatusResponse.newBuilder().addErrors(error).build();
    }
}
