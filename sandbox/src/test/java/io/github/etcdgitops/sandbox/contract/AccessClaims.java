package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

/// What a server says of its callers and of itself.
interface AccessClaims {
    KubeUnderTest kube();

    @Test
    default void tellsAnAdministratorThatEverythingIsAllowed() {
        String review = json("{'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview', 'spec':"
                        + " {'resourceAttributes': {'group': 'apps', 'resource': 'statefulsets', 'verb': 'update'}}}")
                .toString();

        Reply answer = kube().send(
                        "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", KubeUnderTest.PLAIN, review);

        assertThat(answer.code()).isEqualTo(201);
        assertThat(answer.body().at("/status/allowed").isBoolean()).isTrue();
        assertThat(answer.at("/status/allowed")).isEqualTo("true");
        assertThat(answer.at("/spec/resourceAttributes/verb")).isEqualTo("update");
    }

    @Test
    default void datesItsAnswers() throws IOException, InterruptedException {
        Instant before = Instant.now();

        var answer = kube().client()
                .send(HttpRequest.newBuilder(kube().base().resolve("/version")).build(), BodyHandlers.discarding());

        Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                answer.headers().firstValue("Date").orElseThrow(), Instant::from);
        assertThat(Duration.between(before, date).abs()).isLessThan(Duration.ofMinutes(1));
    }
}
