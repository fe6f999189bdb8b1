package dev.fence.lab;

/**
 * One event of a timeline. Played where it cannot happen, it is passed over.
 *
 * @param who the process, where the kind concerns one
 * @param arg 0 to {@value #ARGS} - 1: how long, which server, which message; small means ordinary
 */
record Event(Kind kind, int who, int arg) {

    static final int ARGS = 4;
}
