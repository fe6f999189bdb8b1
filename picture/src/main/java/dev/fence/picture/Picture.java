package dev.fence.picture;

import java.util.List;
import java.util.Locale;

/**
 * A timeline that is ready to be drawn.
 *
 * @param title what the story is about
 * @param verdict how it ended, in one line
 * @param ended whether that is good
 * @param lanes from left to right
 */
public record Picture(
        String title, String verdict, Mark ended, List<String> lanes, List<Moment> moments, List<Bar> bars) {

    static final int TIME_WIDTH = 70;
    static final int LANE_WIDTH = 190;
    static final int HEADER_HEIGHT = 92;
    static final int ROW_HEIGHT = 46;
    static final int FOOTER_HEIGHT = 14;

    public Picture {
        lanes = List.copyOf(lanes);
        moments = List.copyOf(moments);
        bars = List.copyOf(bars);
        for (Moment moment : moments) {
            requireLane(moment.from(), lanes.size());
            requireLane(moment.to(), lanes.size());
        }
        for (Bar bar : bars) {
            requireLane(bar.lane(), lanes.size());
            if (bar.first() < 0 || bar.last() < bar.first() || bar.last() >= moments.size()) {
                throw new IllegalArgumentException("a bar from row " + bar.first() + " to " + bar.last()
                        + " is out of range: rows are 0 to " + (moments.size() - 1));
            }
        }
    }

    private static void requireLane(int lane, int lanes) {
        if (lane < 0 || lane >= lanes) {
            throw new IllegalArgumentException("lane " + lane + " is out of range: 0 to " + (lanes - 1));
        }
    }

    int width() {
        return TIME_WIDTH + lanes.size() * LANE_WIDTH;
    }

    int height() {
        return HEADER_HEIGHT + moments.size() * ROW_HEIGHT + FOOTER_HEIGHT;
    }

    /** The middle of a lane. */
    int x(int lane) {
        return TIME_WIDTH + lane * LANE_WIDTH + LANE_WIDTH / 2;
    }

    /** The middle of a row. */
    int y(int row) {
        return HEADER_HEIGHT + row * ROW_HEIGHT + ROW_HEIGHT / 2;
    }

    /** A picture by itself, for an {@code img}. */
    public String svg() {
        return new Svg(this).text();
    }

    /** One moment in one line, for those who read instead of look. */
    String words(Moment moment) {
        String where = moment.from() == moment.to()
                ? lanes.get(moment.from())
                : lanes.get(moment.from()) + " to " + lanes.get(moment.to());
        return String.format(Locale.ROOT, "%.1f s, %s: %s", moment.seconds(), where, moment.hover());
    }
}
