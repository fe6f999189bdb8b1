package dev.fence.examples.smtp;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** Jakarta Mail's conversation with the server, with one thing more: whether the final dot may have left. */
final class PhasedTransport extends SMTPTransport {

    private boolean finalDotMayHaveLeft;

    PhasedTransport(Session session) {
        super(session, new URLName("smtp", null, -1, null, null, null));
    }

    /** Until then the server has no whole message, and must not deliver it (RFC 5321, 4.1.1.4 and 4.5.3.2). */
    boolean finalDotMayHaveLeft() {
        return finalDotMayHaveLeft;
    }

    @Override
    protected void finishData() throws IOException, MessagingException {
        finalDotMayHaveLeft = true; // before: afterwards an exception would skip it
        super.finishData();
    }
}
