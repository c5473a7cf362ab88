// How often the program that has started a host on another machine shows that it is still there, by an empty line.
// A connection that has broken may look alive to that machine for hours.

export const STEERED_BEAT_MS = 10_000;

/** After this nobody is there any more. */
export const STEERED_SILENCE_MS = 45_000;
