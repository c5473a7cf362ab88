// The conversation off which another one was branched, where its program refers to it instead of copying it: without the files
// of the first, the second cannot be continued.

/** By then a program has said where the conversation comes from. */
export const HEAD_BYTES = 64 * 1024;
/** Branches of branches; more than this no plan has. */
export const ORIGINS_MAX = 50;

/** As Codex writes it. Inside a text of the conversation the quotes would be escaped. */
const ORIGIN = /"forked_from_id":"([\w.-]{8,200})"/;

/** In the beginning of a file of a conversation. */
export const branchedFrom = (content: Buffer): string | undefined =>
  ORIGIN.exec(content.toString('utf8', 0, HEAD_BYTES))?.[1];
