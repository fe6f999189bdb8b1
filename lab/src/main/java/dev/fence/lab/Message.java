package dev.fence.lab;

/** What a network can delay, lose, repeat and deliver in another order. */
sealed interface Message permits Request, Ask, Answer {}
