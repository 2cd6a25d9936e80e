package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.report.Words;
import java.util.ArrayList;
import java.util.List;

/// The quorum through the steps of an operation: a column per step and a cell per voter, from the bottom up
/// those that answer and then those that do not, and a line at the height of the quorum. Coordinates are
/// those of the drawing, in pixels.
public record QuorumDrawing(int width, int height, List<Column> columns) {
    private static final int CELL = 14;
    private static final int PITCH = 22;
    private static final int LEFT = 4;

    public QuorumDrawing {
        columns = List.copyOf(columns);
    }

    /// `line` is the position of the quorum, from the top; `bare` where one more failure would stop writes.
    public record Column(int x, int number, boolean bare, List<Cell> cells, int line, String title) {
        public Column {
            cells = List.copyOf(cells);
        }
    }

    public record Cell(int y, boolean there) {}

    static QuorumDrawing of(List<PlannedStep> steps) {
        int most = steps.stream().mapToInt(s -> s.during().voters()).max().orElse(0);
        int height = most * CELL + 4;
        var columns = new ArrayList<Column>();
        for (PlannedStep step : steps) {
            columns.add(column(columns.size(), step, height));
        }
        return new QuorumDrawing(LEFT * 2 + PITCH * steps.size(), height + CELL, columns);
    }

    private static Column column(int index, PlannedStep step, int height) {
        var during = step.during();
        var cells = new ArrayList<Cell>();
        for (int i = 0; i < during.voters(); i++) {
            cells.add(new Cell(height - CELL * (i + 1), i < during.healthy()));
        }
        int needed = during.voters() == 0 ? 0 : during.needed();
        return new Column(
                LEFT + PITCH * index,
                index + 1,
                Words.bare(during),
                cells,
                height - CELL * needed,
                "step " + (index + 1) + ": " + during.healthy() + " of " + during.voters() + " voters, quorum "
                        + needed);
    }
}
