package dev.fence.properties;

import dev.fence.picture.Bar;
import dev.fence.picture.Mark;
import dev.fence.picture.Moment;
import dev.fence.picture.Picture;
import dev.fence.properties.History.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws how a script went: holders, lease service and resource as lanes. */
final class Drawing {

    private static final int SERVICE = 1;
    private static final int RESOURCE = 2;
    private static final int LONGEST_TITLE = 90;

    private final Judgement judgement;
    private final List<String> lanes = new ArrayList<>(List.of("A", "lease service", "resource"));
    private final List<Moment> moments = new ArrayList<>();
    private final List<Bar> bars = new ArrayList<>();
    private final Map<Integer, Integer> pausedSince = new HashMap<>();
    private int leaseSince = -1;
    private int leases;
    private String holder = "";

    private Drawing(Judgement judgement) {
        this.judgement = judgement;
        for (char name = 'B'; name < 'A' + judgement.history().processes(); name++) {
            lanes.add(String.valueOf(name));
        }
    }

    static Picture of(Script script, Judgement judgement) {
        Drawing drawing = new Drawing(judgement);
        judgement.history().steps().forEach(drawing::draw);
        drawing.endAll();
        String verdict = judgement
                .violated()
                .map(words -> words.replaceFirst("^([A-Z_]+): step \\d+: ", ""))
                .orElse("nothing is lost");
        String title = judgement.expectation().subject() + ", " + judgement.where() + ": " + script.title();
        return new Picture(
                title.length() <= LONGEST_TITLE ? title : script.title(),
                judgement.expectation().subject() + ": " + verdict,
                judgement.violated().isPresent() ? Mark.HARM : Mark.GOOD,
                drawing.lanes,
                drawing.moments,
                drawing.bars);
    }

    private void draw(Step step) {
        double seconds = step.action().at() / 1000.0;
        int row = moments.size();
        int lane = laneOf(step.action().actor());
        Attempt attempt = step.attempt();
        switch (step.action().kind()) {
            case ACQUIRE, ACQUIRE_ANOTHER -> {
                boolean granted = step.text().contains("acquires");
                String token = step.text().replaceFirst(".* token ", "");
                moments.add(new Moment(
                        seconds,
                        SERVICE,
                        lane,
                        granted ? Mark.PLAIN : Mark.REFUSED,
                        granted ? "lease, token " + token : "taken",
                        "",
                        step.text()));
                if (granted) {
                    endLease(row);
                    leaseSince = row;
                    leases++;
                    holder = step.action().actor() + " holds the lease with token " + token;
                }
            }
            case RELEASE, GIVE_AWAY, RESTORE -> {
                moments.add(Moment.in(seconds, SERVICE, Mark.PLAIN, label(step), step.text()));
                endLease(row);
            }
            case PAUSE -> {
                moments.add(Moment.in(seconds, lane, Mark.PLAIN, "is paused", step.text()));
                pausedSince.put(lane, row);
            }
            case RESUME, CRASH -> {
                attemptOrNote(step, seconds, lane, attempt);
                endPause(lane, row);
            }
            default -> attemptOrNote(step, seconds, lane, attempt);
        }
    }

    private void attemptOrNote(Step step, double seconds, int lane, @Nullable Attempt attempt) {
        if (attempt == null || attempt.verdict() == Verdict.LEASE_LOST) {
            moments.add(Moment.in(seconds, lane, Mark.PLAIN, label(step), step.text()));
            return;
        }
        boolean asksOnly = attempt.op() == Op.SEAL && step.after().guard() == null;
        moments.add(
                asksOnly
                        ? Moment.in(seconds, lane, Mark.PLAIN, "asks its lease: good", step.text())
                        : new Moment(
                                seconds,
                                lane,
                                RESOURCE,
                                mark(step, attempt),
                                attempt.name() + ", token " + attempt.grant().token(),
                                end(step, attempt),
                                step.text()));
    }

    private String end(Step step, Attempt attempt) {
        if (harms(step) && attempt.op().writes()) {
            return "#" + step.before().value() + " is lost";
        }
        return switch (attempt.verdict()) {
            case DONE ->
                switch (attempt.op()) {
                    case CREATE, SEAL -> "guard: " + attempt.grant().token();
                    case READ -> "is #" + attempt.value();
                    default -> "now #" + attempt.number();
                };
            default -> attempt.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    private boolean harms(Step step) {
        return judgement
                .violated()
                .filter(words -> words.contains("step " + step.number() + ":"))
                .isPresent();
    }

    private Mark mark(Step step, Attempt attempt) {
        boolean harms = harms(step);
        return switch (attempt.verdict()) {
            case DONE -> harms ? Mark.HARM : attempt.op().writes() ? Mark.GOOD : Mark.PLAIN;
            case UNKNOWN -> Mark.UNKNOWN;
            default -> harms ? Mark.HARM : Mark.REFUSED;
        };
    }

    private static String label(Step step) {
        Attempt attempt = step.attempt();
        if (attempt != null) {
            return attempt.op() + ": its lease is lost";
        }
        return switch (step.action().kind()) {
            case CHECK -> "checks its lease: good";
            case GIVE_AWAY -> "takes the lease away, telling nobody";
            case RESTORE -> "is restored from a backup";
            case RELEASE -> step.action().actor() + " gives it back";
            case PARK -> step.action().argument() + " stands before its commit";
            case HAND_OVER -> "hands its grant to a worker";
            case LOSE_REPLY -> "the next answer will be lost";
            default -> step.text().replaceFirst("^" + step.action().actor() + " ", "");
        };
    }

    private int laneOf(String actor) {
        return switch (actor) {
            case "A" -> 0;
            case "service", "clock" -> SERVICE;
            case "somebody", "network", "database" -> RESOURCE;
            default -> RESOURCE + actor.charAt(0) - 'A';
        };
    }

    private void endLease(int row) {
        if (leaseSince >= 0) {
            Bar.Kind kind = leases % 2 == 1 ? Bar.Kind.LEASE : Bar.Kind.OTHER_LEASE;
            bars.add(new Bar(SERVICE, leaseSince, row, kind, holder));
            leaseSince = -1;
        }
    }

    private void endPause(int lane, int row) {
        Integer since = pausedSince.remove(lane);
        if (since != null) {
            double seconds = moments.get(row).seconds() - moments.get(since).seconds();
            bars.add(new Bar(
                    lane,
                    since,
                    row,
                    Bar.Kind.PAUSE,
                    String.format(Locale.ROOT, "%s stands still for %.1f s", lanes.get(lane), seconds)));
        }
    }

    private void endAll() {
        int last = moments.size() - 1;
        endLease(last);
        List.copyOf(pausedSince.keySet()).forEach(lane -> endPause(lane, last));
    }
}
