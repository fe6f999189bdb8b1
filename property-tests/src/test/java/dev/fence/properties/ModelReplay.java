package dev.fence.properties;

import java.util.List;

/** Plays a script in virtual time, against each subject of which it expects something. */
final class ModelReplay {

    private ModelReplay() {}

    static List<Judgement> play(Script script) {
        return script.expectations().stream()
                .map(expectation -> {
                    try (Subject subject = Subjects.named(expectation.subject())) {
                        History history = World.play(script, subject);
                        return Judgement.of(
                                subject.where(),
                                script,
                                expectation,
                                Judgement.invariantsOf(expectation.subject()),
                                history);
                    }
                })
                .toList();
    }
}
