package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.speed.StandInMembers.Faults;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Stand-ins for all members of a fleet, in processes of their own: each member is a socket that listens, and a
/// process may open only so many.
final class MemberProcesses implements AutoCloseable {
    /// Sockets that listen in one process; the calls need some as well.
    private static final int MOST = 12_000;

    private static final String PLAIN = "-";

    private final List<Started> processes;

    private record Started(Process process, BufferedReader answers) {
        /// The next line that the process prints.
        String answer() throws IOException {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException("a stand-in for members ended; it says why above");
            }
            return line;
        }

        long ask() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            return Long.parseLong(answer());
        }
    }

    private MemberProcesses(List<Started> processes) {
        this.processes = processes;
    }

    /// Returns when all members answer.
    static MemberProcesses start(int rings, int members, String version, Faults faults, Optional<Path> tls)
            throws IOException {
        int share = MOST / members;
        var started = new ArrayList<Started>();
        var all = new MemberProcesses(started);
        try {
            for (int first = 0; first < rings; first += share) {
                started.add(start(
                        IntStream.of(
                                first,
                                Math.min(share, rings - first),
                                members,
                                faults.oneSlowOf(),
                                faults.slowMillis(),
                                faults.oneDeadOf()),
                        version,
                        tls));
            }
            for (var process : started) {
                process.answer();
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw e;
        }
    }

    private static Started start(IntStream numbers, String version, Optional<Path> tls) throws IOException {
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcesses.class.getName(),
                version,
                tls.map(Path::toString).orElse(PLAIN)));
        numbers.mapToObj(Integer::toString).forEach(line::add);
        var process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Started(process, process.inputReader(StandardCharsets.US_ASCII));
    }

    /// Calls since the last time that this was asked.
    long calls() throws IOException {
        long calls = 0;
        for (var process : processes) {
            calls += process.ask();
        }
        return calls;
    }

    @Override
    public void close() {
        processes.forEach(started -> started.process().destroy());
    }

    /// Arguments: version, folder of the CA or `-`, first ring, rings, members, one slow of so many, milliseconds, one
    /// dead of so many. Prints
    /// a line when it is ready, and the number of calls for each line that it reads; ends with its input.
    public static void main(String[] arguments) throws IOException {
        int[] numbers = IntStream.range(2, arguments.length)
                .map(at -> Integer.parseInt(arguments[at]))
                .toArray();
        var tls = arguments[1].equals(PLAIN)
                ? Optional.<StandInTls>empty()
                : Optional.of(StandInTls.of(Path.of(arguments[1])));
        var faults = new Faults(numbers[3], numbers[4], numbers[5]);
        try (var members = StandInMembers.start(numbers[0], numbers[1], numbers[2], arguments[0], faults, tls)) {
            System.out.println("ready");
            while (System.in.read() >= 0) {
                System.out.println(members.calls());
            }
        }
    }
}
