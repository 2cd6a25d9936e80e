package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.fleet.ObservedMembers;
import java.util.ArrayList;
import java.util.List;

/// A ring as a circle of its members. Coordinates are those of the drawing, in pixels.
public record RingDrawing(int side, int radius, List<Seat> seats) {
    private static final int SIDE = 180;
    private static final int RADIUS = 58;

    public RingDrawing {
        seats = List.copyOf(seats);
    }

    /// The position of a member; `style` is the CSS class with its colour, `label` the text in the circle.
    public record Seat(int x, int y, String style, String label, String title) {}

    static RingDrawing of(ObservedMembers observed) {
        var seats = new ArrayList<Seat>();
        var members = observed.members();
        for (int i = 0; i < members.size(); i++) {
            var member = members.get(i);
            double turn = 2 * Math.PI * i / members.size() - Math.PI / 2;
            seats.add(new Seat(
                    (int) Math.round(SIDE / 2.0 + RADIUS * Math.cos(turn)),
                    (int) Math.round(SIDE / 2.0 + RADIUS * Math.sin(turn)),
                    style(member),
                    label(member),
                    member.name() + ": " + role(member)));
        }
        return new RingDrawing(SIDE, RADIUS, seats);
    }

    public int middle() {
        return side / 2;
    }

    private static String style(ObservedMembers.Member member) {
        if (!member.answers()) {
            return "away";
        }
        return member.learner() ? "learner" : member.leads() ? "leader" : "voter";
    }

    static String role(ObservedMembers.Member member) {
        String role = member.learner() ? "learner" : member.leads() ? "leader" : "voter";
        return member.answers() ? role : role + ", does not answer";
    }

    /// The ordinal, which identifies a member for people.
    private static String label(ObservedMembers.Member member) {
        String tail = member.name().substring(member.name().lastIndexOf('-') + 1);
        return tail.length() <= 3 ? tail : "";
    }
}
