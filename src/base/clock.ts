// Time as a value that can be passed in, so that tests may hold, advance and step it back.

/** Milliseconds since 1970. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
