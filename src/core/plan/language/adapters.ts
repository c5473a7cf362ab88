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

/** Those that are told which program to start. */
export const ADAPTERS_WITH_COMMAND: readonly string[] = ['acp', 'command'];
