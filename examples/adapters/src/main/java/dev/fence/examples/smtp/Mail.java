package dev.fence.examples.smtp;

import dev.fence.effects.Codec;

/**
 * One mail to one recipient. A mail to several is several effects: each has an outcome of its own.
 *
 * @param to an address
 * @param subject one line
 * @param text the body
 */
public record Mail(String to, String subject, String text) {

    /** Two lines and the rest. */
    static final Codec<Mail> CODEC =
            Codec.of(mail -> mail.to() + "\n" + mail.subject() + "\n" + mail.text(), written -> {
                String[] parts = written.split("\n", 3);
                return new Mail(parts[0], parts[1], parts[2]);
            });

    /** @throws IllegalArgumentException if the address or the subject has a line break: it would become a header */
    public Mail {
        if ((to + subject).chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a mail to \"" + to.replaceAll("\\p{Cntrl}", "?")
                    + "\": address and subject must be one line without control characters");
        }
    }
}
