package dev.fence.reconcile;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The most heap that was in use, garbage and all, and the most that was left after a collection. */
final class HeapWatch implements AutoCloseable {

    private final AtomicLong peak = new AtomicLong();
    private final AtomicLong peakAfterCollection = new AtomicLong();
    private final NotificationListener listener = (notification, handback) -> collected(notification);

    HeapWatch() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
        }
    }

    private void collected(Notification notification) {
        if (notification.getUserData() instanceof CompositeData data) {
            GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
            // use only grows between two collections: before one it is at its highest
            raise(peak, info.getGcInfo().getMemoryUsageBeforeGc());
            raise(peakAfterCollection, info.getGcInfo().getMemoryUsageAfterGc());
        }
    }

    private static void raise(AtomicLong peak, Map<String, MemoryUsage> pools) {
        long used = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(pool -> pools.get(pool.getName()))
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        peak.accumulateAndGet(used, Math::max);
    }

    long peakBytes() {
        long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return peak.accumulateAndGet(now, Math::max);
    }

    long peakBytesAfterCollection() {
        return peakAfterCollection.get();
    }

    @Override
    public void close() throws ListenerNotFoundException {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).removeNotificationListener(listener);
        }
    }
}
