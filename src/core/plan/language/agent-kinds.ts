/** What can drive an agent. */
export const ADAPTERS: readonly string[] = [
  'claude',
  'codex',
  'opencode',
  'gemini',
  'pi',
  'acp',
  'command',
  'scripted',
];

/** Those whose programs ask before they use a tool, when they are told to. */
export const ADAPTERS_THAT_ASK: readonly string[] = ['claude', 'acp', 'scripted'];

/** Those whose programs do what they like, and have nothing by which they could be kept from it. */
export const ADAPTERS_WITHOUT_PERMISSIONS: readonly string[] = ['pi', 'command'];

/** Those that are told which program to start. */
export const ADAPTERS_WITH_COMMAND: readonly string[] = ['acp', 'command'];
