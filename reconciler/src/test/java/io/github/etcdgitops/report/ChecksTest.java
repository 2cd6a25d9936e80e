package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.report.format.Checks;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.validation.Location;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// Results as the tools of CI read them.
class ChecksTest {
    private static final Problem WRONG = new Problem(
            Level.ERROR,
            "unknown-field",
            "clusters/a.yaml",
            "`spec` has no field \"sise\".",
            Optional.of("Did you mean `size`?"),
            Optional.of(new Location("clusters/a.yaml", 7, 3, "/spec/sise")));

    private static final Problem HELD = new Problem(
            Level.HELD, "freeze", "demo/orders", "ScaleIn: nothing is changed", Optional.empty(), Optional.empty());

    private static final Problem WARNED = new Problem(
            Level.WARNING,
            "odd-size",
            "demo/carts",
            "size 4 & more",
            Optional.empty(),
            Optional.of(new Location("clusters/b.yaml", 1, 1, "")));

    private static Checks checks(Problem... problems) {
        return new Checks("plan", new TreeSet<>(List.of("demo/well", "demo/carts")), List.of(problems));
    }

    private static Document xml(String text) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError(text, e);
        }
    }

    @Test
    void junitHasATestForEach() {
        var suite = xml(Rendering.junit(checks(WRONG, HELD, WARNED))).getDocumentElement();

        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        var failure = suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getTextContent())
                .isEqualTo("clusters/a.yaml:7:3: error [unknown-field] `spec` has no field \"sise\". Did you mean"
                        + " `size`?\n");
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .contains("size 4 & more");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(4);
    }

    @Test
    void sarifPointsToTheLine() throws IOException {
        var run = new ObjectMapper()
                .readTree(Rendering.sarif(checks(WARNED, HELD, WRONG)))
                .path("runs")
                .path(0);

        assertThat(run.at("/results/0/ruleId").asText()).isEqualTo("unknown-field");
        assertThat(run.at("/results/0/level").asText()).isEqualTo("error");
        assertThat(run.at("/results/0/locations/0/physicalLocation/artifactLocation/uri")
                        .asText())
                .isEqualTo("clusters/a.yaml");
        assertThat(run.at("/results/0/locations/0/physicalLocation/region/startLine")
                        .asInt())
                .isEqualTo(7);
        assertThat(run.at("/results/0/partialFingerprints/etcdGitops~1v1").asText())
                .hasSize(64);
        assertThat(run.at("/results/2/level").asText()).isEqualTo("note");
        assertThat(run.at("/results/2").has("locations")).isFalse();
        assertThat(run.at("/tool/driver/rules")).hasSize(3);
    }

    /// What somebody writes into a document must not move the fingerprint of a finding with every commit.
    @Test
    void fingerprintIgnoresLineAndWording() throws IOException {
        var moved = new Problem(
                Level.ERROR,
                WRONG.code(),
                WRONG.subject(),
                "other words",
                Optional.empty(),
                Optional.of(new Location("clusters/a.yaml", 99, 1, "/spec/sise")));

        var json = new ObjectMapper();
        String pointer = "/runs/0/results/0/partialFingerprints";
        assertThat(json.readTree(Rendering.sarif(checks(moved))).at(pointer))
                .isEqualTo(json.readTree(Rendering.sarif(checks(WRONG))).at(pointer));
    }

    @Test
    void annotationsAreTenOfAKindAndARest() {
        var many = new ArrayList<Problem>();
        for (int i = 0; i < 13; i++) {
            many.add(WRONG);
        }
        many.add(WARNED);
        many.add(HELD);
        var lines =
                Rendering.github(checks(many.toArray(Problem[]::new))).lines().toList();

        assertThat(lines).hasSize(12);
        assertThat(lines.getFirst())
                .isEqualTo(
                        "::error file=clusters/a.yaml,line=7,col=3,title=unknown-field clusters/a.yaml::`spec` has no"
                                + " field \"sise\". Did you mean `size`?");
        assertThat(lines.get(10)).startsWith("::warning file=clusters/b.yaml,line=1,col=1,title=odd-size demo/carts::");
        assertThat(lines.getLast()).isEqualTo("::notice title=etcd-gitops::and 3 more errors and warnings");
    }

    /// Inert in all three: one command a line, XML that is well-formed, JSON that is.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n::set-env name=PATH::/evil",
                "a\r\n::error::b",
                "%0A::stop-commands::x",
                "]]></failure><script>alert(1)</script>",
                "<!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
                "\u0000\u0007\u001b[31m\uFFFE",
                "\"},{\"ruleId\":\"x\"",
                "title=x,file=y::z"
            })
    void hostileTextsAreInert(String text) throws IOException {
        var hostile = checks(new Problem(
                Level.ERROR, "code", text, text, Optional.of(text), Optional.of(new Location(text, 1, 1, text))));

        assertThat(Rendering.github(hostile).lines()).hasSize(1).allMatch(line -> line.startsWith("::error file="));
        var suite = xml(Rendering.junit(hostile)).getDocumentElement();
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(3);
        assertThat(suite.getElementsByTagName("script").getLength()).isZero();
        assertThat(new ObjectMapper().readTree(Rendering.sarif(hostile)).at("/runs/0/results"))
                .hasSize(1);
    }
}
