package dev.fence.chaos;

import dev.fence.fixtures.EtcdMember;
import java.util.List;

/** Networks that lose what is sent, and tell nobody. */
interface Partitions {

    /** Who plays them, for the history. */
    String by();

    /**
     * Between a worker and etcd.
     *
     * @param members by their numbers
     */
    Cut ofWorker(Seat seat, List<Integer> members, Silence silence);

    /** Between an etcd member and others, of which there may be none, and all workers if they are not spared. */
    Cut ofMember(EtcdMember member, List<EtcdMember> others, boolean fromWorkers, Silence silence);

    /** How one is begun and ended. */
    record Cut(Fault.Step begin, Fault.Step end) {}
}
