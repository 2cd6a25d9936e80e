package io.github.etcdgitops.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.policy.Proposal;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.WireName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A published plan, as far as rules need it.
public record ToldPlan(List<Operation> operations) {
    public ToldPlan {
        operations = List.copyOf(operations);
    }

    /// `lets` says whether it was allowed.
    public record Operation(Proposal proposal, boolean lets) {}

    /// Empty where it cannot be read, or is of a release that did not record what rules need.
    public static Optional<ToldPlan> read(String json) {
        var operations = new ArrayList<Operation>();
        try {
            for (JsonNode cluster : new JsonMapper().readTree(json).path("clusters")) {
                var ref = new ClusterRef(
                        cluster.path("namespace").asText(), cluster.path("name").asText());
                for (JsonNode operation : cluster.path("operations")) {
                    var known = operation(ref, operation);
                    if (known.isEmpty()) {
                        return Optional.empty();
                    }
                    operations.add(known.get());
                }
            }
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
        return Optional.of(new ToldPlan(operations));
    }

    private static Optional<Operation> operation(ClusterRef ref, JsonNode told) {
        var policy = told.path("policy");
        var risk = WireName.find(Risk.values(), told.path("risk").asText());
        var consent = WireName.find(Consent.values(), policy.path("consent").asText());
        if (policy.isMissingNode() || risk.isEmpty() || consent.isEmpty()) {
            return Optional.empty();
        }
        String result = told.path("verdict").path("result").asText();
        return Optional.of(new Operation(
                new Proposal.Told(
                        ref,
                        new Proposal.Name(
                                told.path("kind").asText(),
                                told.path("id").asText(),
                                told.path("summary").asText()),
                        risk.get(),
                        consent.get(),
                        new Proposal.Nature(
                                policy.path("changesRing").asBoolean(),
                                policy.path("mends").asBoolean()),
                        new Proposal.Size(
                                told.path("steps").size(),
                                Duration.ofMinutes(policy.path("minutes").asLong()))),
                result.equals("allow") || result.equals("warn")));
    }
}
