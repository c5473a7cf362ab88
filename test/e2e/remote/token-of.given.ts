// Tokens of servers in tests.

/** As long as a token is, and for each role another. */
export const tokenOf = (role: string): string => `token-of-the-${role}`.padEnd(43, '-');
