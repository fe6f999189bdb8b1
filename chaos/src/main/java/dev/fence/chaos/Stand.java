package dev.fence.chaos;

import dev.fence.Candidate;
import dev.fence.Leadership;
import dev.fence.LossReason;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stands for election; works while it leads, and sometimes resigns. */
final class Stand implements Candidate {

    private final Actor actor;
    private final Resource resource;
    private final SplittableRandom random;
    private @Nullable Tenure tenure;
    private @Nullable Thread working;

    Stand(Actor actor, Resource resource, SplittableRandom random) {
        this.actor = actor;
        this.resource = resource;
        this.random = random;
    }

    @Override
    public void onElected(Leadership leadership) {
        actor.note(What.ELECTED, leadership.lease(), "");
        Tenure mine = new Tenure(actor, leadership.lease(), resource, random.split());
        long longest = TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(4_000));
        Thread thread = new Thread(() -> work(mine, longest, leadership), "chaos-leading-" + leadership.epoch());
        thread.setDaemon(true);
        thread.start();
        tenure = mine;
        working = thread;
    }

    private void work(Tenure mine, long longest, Leadership leadership) {
        try {
            mine.work(longest);
            leadership.resign();
        } catch (InterruptedException | RuntimeException e) {
            actor.note(What.WRONG, leadership.lease(), "leading: " + e);
        }
    }

    @Override
    public void onDemoted(Leadership ended, LossReason reason) {
        actor.note(What.DEMOTED, ended.lease(), reason.kind().name());
        Tenure last = tenure;
        Thread thread = working;
        if (last == null || thread == null) {
            return;
        }
        last.end();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        last.writeLate();
    }
}
