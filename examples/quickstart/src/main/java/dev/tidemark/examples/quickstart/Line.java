package dev.tidemark.examples.quickstart;

/**
 * A line of the transcript.
 *
 * @param conversation where it is said
 * @param sender who says it
 * @param messageId the id its client gave it
 * @param text what is said
 */
record Line(String conversation, String sender, String messageId, String text) {}
