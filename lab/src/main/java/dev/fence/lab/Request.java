package dev.fence.lab;

/** A message to the resource or the lock service that can be late or arrive twice. */
sealed interface Request {

    Acquisition by();

    record Seal(Acquisition by, int confirmedOn) implements Request {
        @Override
        public String toString() {
            return "seal of " + by;
        }
    }

    record Check(Acquisition by) implements Request {
        @Override
        public String toString() {
            return "check of " + by;
        }
    }

    record Change(Acquisition by, Write write) implements Request {
        @Override
        public String toString() {
            return "write #" + write.number() + " of " + by;
        }
    }

    record Release(Acquisition by) implements Request {
        @Override
        public String toString() {
            return "release of " + by;
        }
    }
}
