/** The adapters that can run an agent. */
export const AGENT_KINDS: readonly string[] = [
  'claude',
  'codex',
  'opencode',
  'gemini',
  'pi',
  'acp',
  'command',
  'module',
  'scripted',
];

/** Adapters whose programs can ask for permission before they use a tool. */
export const ADAPTERS_THAT_ASK: readonly string[] = ['claude', 'acp', 'scripted'];

/** Adapters whose programs cannot be restricted. */
export const ADAPTERS_WITHOUT_PERMISSIONS: readonly string[] = ['pi', 'command'];

/** Adapters whose program the plan names, or the module of an adapter. */
export const ADAPTERS_WITH_COMMAND: readonly string[] = ['acp', 'command', 'module'];

/** Adapters whose programs cannot branch off a conversation. */
export const ADAPTERS_WITHOUT_FORK: readonly string[] = ['gemini', 'acp', 'command'];

/** Adapters whose programs continue a conversation in another folder than the one in which it began. */
export const ADAPTERS_THAT_MOVE: readonly string[] = ['claude', 'codex', 'scripted'];

/** What its prompt replaces among the `args` of an agent of the kind `command`. */
export const PROMPT_PLACE = '{prompt}';
