package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final EtcdVersion VERSION = new EtcdVersion(3, 5, 16);

    @Test
    void alarmsAreReadFromTheWordsOfAStatus() {
        var answer = status("memberID:10276657743932975437 alarm:NOSPACE ");

        assertThat(Answers.alarms(answer)).containsExactly("NOSPACE 8e9e05c52164694d");
        assertThat(errors(answer)).containsExactly("NOSPACE 8e9e05c52164694d");
    }

    /// As etcd from 3.4 on raises it: an ID of 0 is left out of the text.
    @Test
    void alarmWithoutMemberIsAnAlarm() {
        var answer = status("alarm:CORRUPT ");

        assertThat(Answers.alarms(answer)).containsExactly("CORRUPT 0");
        assertThat(errors(answer)).containsExactly("CORRUPT 0");
    }

    /// Servers before 3.4 are asked for the alarms themselves; the client knows no name for the second kind.
    @Test
    void alarmIsSameFromStatusAndFromAlarmList() {
        var corrupt = AlarmMember.newBuilder().setAlarmValue(2);
        var full = AlarmMember.newBuilder().setAlarm(AlarmType.NOSPACE).setMemberID(0x2f);

        assertThat(Answers.alarm(corrupt.build())).isEqualTo("CORRUPT 0");
        assertThat(Answers.alarm(corrupt.setMemberID(0x2f).build())).isEqualTo("CORRUPT 2f");
        assertThat(Answers.alarm(full.build())).isEqualTo("NOSPACE 2f");
    }

    @Test
    void whatIsNoAlarmIsNoneAndIsStillAnError() {
        for (var text :
                List.of("alarm:SOMETHING ", "not alarm:CORRUPT ", "memberID: alarm:CORRUPT ", "etcdserver: x")) {
            assertThat(Answers.alarms(status(text))).as(text).isEmpty();
            assertThat(errors(status(text)))
                    .as(text)
                    .containsExactly("an error that is not known here; see the member's log");
        }
        assertThat(errors(status("etcdserver: no leader"))).containsExactly("no leader");
    }

    private static List<String> errors(StatusResponse answer) {
        return Answers.status(answer, VERSION, true).errors();
    }

    private static StatusResponse status(String error) {
        return StatusResponse.newBuilder().addErrors(error).build();
    }
}
