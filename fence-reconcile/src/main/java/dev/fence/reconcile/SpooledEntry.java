package dev.fence.reconcile;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;

/** An entry as bytes in a temporary file; read by the process that wrote it and by no other. */
final class SpooledEntry {

    private SpooledEntry() {}

    static void write(BookEntry entry, DataOutputStream out) throws IOException {
        out.writeUTF(entry.key());
        byte[] unscaled = entry.amount().unscaledValue().toByteArray();
        out.writeByte(unscaled.length);
        out.write(unscaled);
        out.writeByte(entry.amount().scale());
        out.writeUTF(entry.currency());
        Instant at = entry.at();
        out.writeLong(at.getEpochSecond());
        out.writeInt(at.getNano());
        out.writeUTF(entry.reference());
        out.writeUTF(entry.claim().name());
        out.writeLong(entry.line());
    }

    static BookEntry read(DataInputStream in) throws IOException {
        String key = in.readUTF();
        byte[] unscaled = new byte[in.readByte()];
        in.readFully(unscaled);
        BigDecimal amount = new BigDecimal(new BigInteger(unscaled), in.readByte());
        String currency = in.readUTF();
        Instant at = Instant.ofEpochSecond(in.readLong(), in.readInt());
        return new BookEntry(key, amount, currency, at, in.readUTF(), Claim.valueOf(in.readUTF()), in.readLong());
    }
}
