/** Of what goes on, tenths of a second would only flicker. */
export const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000) * 1000);
