package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.kube.read.PodEnd;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodEndTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Succeeded | 1 | {"terminated":{}}                  | true
        Failed    | 1 | {"terminated":{}}                  | true
        Failed    | 1 | {"running":{}}                     | false
        Failed    | 2 | {"terminated":{}}                  | false
        Running   | 1 | {"terminated":{}}                  | false
        Unknown   | 1 | {"terminated":{}}                  | false
        Failed    | 0 |                                    | false
        """)
    void hasEndedWhenEveryContainerHas(String phase, int containers, String state, boolean ended) throws Exception {
        String specs = "{},".repeat(containers).replaceAll(",$", "");
        String statuses = state == null ? "" : "{\"state\":" + state + "}";

        var pod = new ObjectMapper()
                .readTree("{\"spec\":{\"containers\":[" + specs + "]},\"status\":{\"phase\":\"" + phase
                        + "\",\"containerStatuses\":[" + statuses + "]}}");

        assertThat(PodEnd.of(pod)).isEqualTo(ended);
    }
}
