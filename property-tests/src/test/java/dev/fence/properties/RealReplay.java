package dev.fence.properties;

import dev.fence.properties.RealStage.Store;
import dev.fence.properties.Script.Expectation;
import dev.fence.properties.Script.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Plays a script with real parts: what it expects with the fence and without, on each kind of store. */
final class RealReplay {

    private static final Set<String> SUBJECTS = Set.of(Script.FENCED, Subjects.name(TwinFence.Design.UNFENCED));

    private static final int MOST_PLAYS = 3;

    /** One play of a script. */
    interface Play {
        History run() throws IOException, InterruptedException;
    }

    private RealReplay() {}

    /**
     * To be asked before anything is started.
     *
     * @throws IllegalArgumentException naming what cannot be played with real processes
     */
    static Script requirePlayable(Script script) {
        for (Line line : script.lines()) {
            if (RealWorld.NOT_FOR_REAL.contains(line.action().kind())) {
                throw new IllegalArgumentException("\"" + line + "\" cannot be played with real parts, nor can "
                        + RealWorld.NOT_FOR_REAL.stream().map(Kind::word).toList());
            }
        }
        if (script.expectations().stream().noneMatch(e -> SUBJECTS.contains(e.subject()))) {
            throw new IllegalArgumentException(
                    "nothing is expected of what can be played with real parts: fenced, unfenced");
        }
        return script;
    }

    static List<Judgement> play(Script script, RealStage stage) throws IOException, InterruptedException {
        List<Judgement> judgements = new ArrayList<>();
        for (Store store : Store.values()) {
            for (Expectation expectation : script.expectations()) {
                if (SUBJECTS.contains(expectation.subject())) {
                    judgements.add(play(script, expectation, stage, store));
                }
            }
        }
        return judgements;
    }

    static Judgement play(Script script, Expectation expectation, RealStage stage, Store store)
            throws IOException, InterruptedException {
        boolean fenced = expectation.subject().equals(Script.FENCED);
        History history = unspoilt(() -> RealWorld.play(script, stage, store, fenced));
        return Judgement.of(store.words(), script, expectation, Judgement.invariantsOf(expectation.subject()), history);
    }

    /** Leases are short here: a machine that stalls for a second loses one, and what happens then is another story. */
    static History unspoilt(Play play) throws IOException, InterruptedException {
        for (int plays = 1; ; plays++) {
            try {
                return play.run();
            } catch (SpoiltRunException e) {
                if (plays == MOST_PLAYS) {
                    throw new SpoiltRunException("played " + MOST_PLAYS + " times, and each time " + e.getMessage());
                }
            }
        }
    }
}
