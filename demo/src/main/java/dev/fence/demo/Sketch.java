package dev.fence.demo;

import dev.fence.demo.Timeline.Lane;
import dev.fence.demo.Timeline.Told;
import dev.fence.picture.Bar;
import dev.fence.picture.Mark;
import dev.fence.picture.Moment;
import dev.fence.picture.Picture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Draws one act of the story from what was told of it. */
final class Sketch {

    private static final int ETCD = Lane.ETCD.column();
    private static final int POSTGRESQL = Lane.POSTGRESQL.column();

    private final List<Moment> moments = new ArrayList<>();
    private final List<Bar> bars = new ArrayList<>();
    private final Map<Long, Integer> laneOfToken = new HashMap<>();
    private int pausedSince = -1;
    private int leaseSince = -1;
    private Told lease = new Told(Lane.ETCD, "", 0, "", 0);

    private Sketch() {}

    static Picture of(String act, List<Told> told, String verdict, boolean isClean) {
        Sketch sketch = new Sketch();
        told.forEach(sketch::draw);
        sketch.endLease(sketch.moments.size() - 1);
        return new Picture(
                act,
                verdict,
                isClean ? Mark.GOOD : Mark.HARM,
                Stream.of(Lane.values()).map(Lane::toString).toList(),
                sketch.moments,
                sketch.bars);
    }

    private void draw(Told told) {
        int row = moments.size();
        int lane = told.lane().column();
        switch (told.event()) {
            case "granted" -> {
                int to = told.text().contains(" to A,") ? Lane.A.column() : Lane.B.column();
                laneOfToken.put(told.token(), to);
                moments.add(moment(told, ETCD, to, Mark.PLAIN, "lease, token " + told.token(), ""));
                endLease(row);
                leaseSince = row;
                lease = told;
            }
            case "sealed" ->
                moments.add(moment(
                        told,
                        laneOfToken.getOrDefault(told.token(), POSTGRESQL),
                        POSTGRESQL,
                        Mark.PLAIN,
                        "seal, token " + told.token(),
                        "guard: " + told.token()));
            case "read", "first-row" -> moments.add(moment(told, lane, POSTGRESQL, Mark.PLAIN, told.text(), ""));
            case "paid" -> moments.add(moment(told, lane, POSTGRESQL, Mark.GOOD, told.text(), "done"));
            case "late-write" -> moments.add(late(told, lane));
            case "released" -> {
                moments.add(moment(told, lane, ETCD, Mark.PLAIN, "gives the lease back", ""));
                endLease(row);
            }
            case "stopped" -> {
                moments.add(moment(told, lane, lane, Mark.PLAIN, "stopped (SIGSTOP)", ""));
                pausedSince = row;
            }
            case "continued" -> {
                moments.add(moment(told, lane, lane, Mark.PLAIN, "goes on, unaware", ""));
                bars.add(new Bar(lane, pausedSince, row, Bar.Kind.PAUSE, told.text()));
            }
            case "refused", "cut-off", "nothing-sent", "accepted" -> {} // told by the end of the late write
            default -> moments.add(moment(told, lane, lane, Mark.PLAIN, told.text(), ""));
        }
    }

    private static Moment late(Told told, int lane) {
        if (told.text().endsWith(Reply.APPLIED)) {
            return moment(told, lane, POSTGRESQL, Mark.HARM, "late write, token " + told.token(), "paid twice");
        }
        boolean isSent = !told.text().endsWith("LeaseLostException");
        return isSent
                ? moment(
                        told,
                        lane,
                        POSTGRESQL,
                        Mark.REFUSED,
                        "late write, token " + told.token(),
                        told.text().endsWith("BusyException") ? "cut off" : "stale")
                : moment(told, lane, lane, Mark.REFUSED, "late write: its lease is lost", "");
    }

    private static Moment moment(Told told, int from, int to, Mark mark, String label, String end) {
        return new Moment(told.seconds(), from, to, mark, label, end, told.text());
    }

    private void endLease(int row) {
        if (leaseSince >= 0) {
            boolean isOfA = laneOfToken.getOrDefault(lease.token(), 0) == Lane.A.column();
            bars.add(new Bar(ETCD, leaseSince, row, isOfA ? Bar.Kind.LEASE : Bar.Kind.OTHER_LEASE, lease.text()));
            leaseSince = -1;
        }
    }
}
