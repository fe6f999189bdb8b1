package dev.fence.lab;

/** A request to the resource. */
sealed interface Request extends Message {

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
}
