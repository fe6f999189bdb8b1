package dev.fence.examples.smtp;

import dev.fence.effects.Answer;
import dev.fence.effects.ChannelTraits;
import dev.fence.effects.Codec;
import dev.fence.effects.EffectChannel;
import dev.fence.effects.EffectKey;
import dev.fence.effects.Found;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;

/**
 * Mail over SMTP: at most once. What each phase of the conversation means:
 *
 * <ul>
 *   <li>no connection, or cut before the final dot: surely not executed, and tried again. The last of a mail leaves together
 *       with its dot, as much as the socket's send buffer holds (we ask for 16 KiB, Linux gives 32): a cut there, and so
 *       anywhere in a short mail, looks like one after it;
 *   <li>4xx or 5xx to MAIL, RCPT or DATA, or to the message: refused for sure. A later try is a second business key;
 *   <li>250 after the final dot: done;
 *   <li>anything else after the final dot: unknown, and since nobody can search, for a person.
 * </ul>
 *
 * The Message-ID is made of the effect's key: a copy that a person has sent again is recognized as the same mail.
 */
public final class SmtpChannel implements EffectChannel<Mail, String> {

    /** Bytes. The system's own choice takes a whole mail with its dot before a single byte of it has arrived. */
    private static final int SEND_BUFFER = 16 * 1024;

    private static final int REFUSED_FROM = 400;
    private static final int REFUSED_UNTIL = 600;

    private final String host;
    private final int port;
    private final String from;
    private final Duration timeout;

    /** @param from the sender; its domain goes into the Message-ID */
    public SmtpChannel(String host, int port, String from, Duration timeout) {
        this.host = host;
        this.port = port;
        this.from = from;
        this.timeout = timeout;
    }

    @Override
    public ChannelTraits traits() {
        return ChannelTraits.atMostOnce("mail", timeout);
    }

    /** The same for every copy. */
    public String messageId(EffectKey key) {
        return "<" + key.text() + from.substring(from.indexOf('@')) + ">";
    }

    @Override
    public Answer<String> execute(EffectKey key, Mail mail, Duration timeLeft) throws MessagingException {
        Session session = Session.getInstance(settings(timeLeft));
        MimeMessage message = message(session, key, mail);
        PhasedTransport transport = new PhasedTransport(session);
        try {
            transport.connect(host, port, null, null);
            transport.sendMessage(message, new Address[] {new InternetAddress(mail.to())});
            return new Answer.Done<>(transport.getLastServerResponse().trim(), messageId(key), false);
        } catch (MessagingException e) {
            return failed(e, transport.finalDotMayHaveLeft());
        } finally {
            hangUp(transport);
        }
    }

    private static Answer<String> failed(MessagingException e, boolean finalDotMayHaveLeft) {
        int code = code(e);
        if (code >= REFUSED_FROM && code < REFUSED_UNTIL) {
            return new Answer.Refused<>(oneLine(e), false);
        }
        return finalDotMayHaveLeft
                ? new Answer.Unknown<>("no answer after the final dot: " + oneLine(e))
                : new Answer.NotExecuted<>("lost before the final dot: " + oneLine(e));
    }

    /** The server's answer to a command of the mail transaction; 0 if it gave none. */
    private static int code(Exception e) {
        int code = 0;
        for (Exception at = e;
                at != null;
                at = at instanceof MessagingException chain ? chain.getNextException() : null) {
            if (at instanceof SMTPAddressFailedException recipient) {
                return recipient.getReturnCode();
            }
            if (at instanceof SMTPSendFailedException send) {
                code = send.getReturnCode();
            }
        }
        return code;
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " ").trim();
    }

    /** What happens to QUIT no longer matters to the mail. */
    private static void hangUp(PhasedTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            System.getLogger(SmtpChannel.class.getName()).log(System.Logger.Level.DEBUG, "closing", e);
        }
    }

    private MimeMessage message(Session session, EffectKey key, Mail mail) throws MessagingException {
        MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", messageId(key));
            }
        };
        message.setFrom(new InternetAddress(from));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(mail.to()));
        message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
        message.setText(mail.text(), StandardCharsets.UTF_8.name());
        message.saveChanges();
        return message;
    }

    private static Properties settings(Duration timeLeft) {
        String millis = String.valueOf(timeLeft.toMillis());
        Properties settings = new Properties();
        settings.setProperty("mail.smtp.connectiontimeout", millis);
        settings.setProperty("mail.smtp.timeout", millis);
        settings.setProperty("mail.smtp.writetimeout", millis);
        settings.put("mail.smtp.socketFactory", new SmallBuffers(SEND_BUFFER));
        settings.setProperty("mail.smtp.socketFactory.fallback", "false"); // to a socket of the system's own choice
        return settings;
    }

    @Override
    public Found<String> lookUp(EffectKey key, Mail mail, Duration timeLeft) {
        return new Found.CannotTell<>("a mail server cannot be searched");
    }

    @Override
    public Map<String, String> stableFields(Mail mail) {
        return Map.of("to", mail.to(), "subject", mail.subject(), "text", mail.text());
    }

    @Override
    public Codec<Mail> requests() {
        return Mail.CODEC;
    }

    @Override
    public Codec<String> results() {
        return Codec.text();
    }
}
