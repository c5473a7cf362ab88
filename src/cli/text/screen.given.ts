/** The screen of tests. */
export const SCREEN = { width: 100, height: 24, colour: false };
