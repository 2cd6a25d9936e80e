package io.github.etcdgitops.report.format;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.LineFilter;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// JUnit's XML, which every CI server shows: a test for each ring and file. An error fails it, a waiting
/// operation skips it, and other findings are its output.
public final class JUnit {
    private JUnit() {}

    public static String render(Checks checks) {
        var text = new StringWriter();
        try {
            var xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument();
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "etcd-gitops " + checks.command());
            xml.writeAttribute("tests", Integer.toString(checks.subjects().size()));
            xml.writeAttribute("failures", Long.toString(count(checks, Level.ERROR)));
            xml.writeAttribute("skipped", Long.toString(count(checks, Level.HELD)));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute("time", "0");
            for (String subject : checks.subjects()) {
                test(xml, checks.command(), subject, checks.of(subject));
            }
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("what goes into memory can always be written", e);
        }
        return text.toString();
    }

    /// Subjects whose worst level is this one.
    private static long count(Checks checks, Level worst) {
        return checks.subjects().stream()
                .map(checks::of)
                .filter(problems -> !problems.isEmpty() && problems.getFirst().level() == worst)
                .count();
    }

    private static void test(XMLStreamWriter xml, String command, String subject, List<Problem> problems)
            throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "etcd-gitops." + command);
        xml.writeAttribute("name", Inert.line(subject));
        xml.writeAttribute("time", "0");
        var worst = problems.isEmpty() ? Level.NOTE : problems.getFirst().level();
        if (worst == Level.ERROR || worst == Level.HELD) {
            xml.writeCharacters("\n    ");
            xml.writeStartElement(worst == Level.ERROR ? "failure" : "skipped");
            xml.writeAttribute("message", Inert.line(problems.getFirst().message()));
            if (worst == Level.ERROR) {
                xml.writeAttribute("type", problems.getFirst().code());
                xml.writeCharacters(LineFilter.block(lines(problems).toString()));
            }
            xml.writeEndElement();
        } else if (!problems.isEmpty()) {
            xml.writeCharacters("\n    ");
            xml.writeStartElement("system-out");
            xml.writeCharacters(LineFilter.block(lines(problems).toString()));
            xml.writeEndElement();
        }
        xml.writeCharacters(problems.isEmpty() ? "" : "\n  ");
        xml.writeEndElement();
    }

    private static Lines lines(List<Problem> problems) {
        var lines = new Lines();
        problems.forEach(p -> lines.append(p.at().map(at -> at + ": ").orElse(""))
                .append(p.level().wire())
                .append(" [")
                .append(p.code())
                .append("] ")
                .append(p.message())
                .append(p.hint().map(hint -> " " + hint).orElse(""))
                .end());
        return lines;
    }
}
