// Which of an agent's own tools does what the script asks for, and how it is called.
import { posix } from 'node:path';
import { isFields, type Asked, type Call, type Fields } from './dialects/dialect.ts';
import type { Move } from './model-script.ts';

type Action = Extract<Move, { type: 'write' | 'run' }>;

interface Tool {
  readonly name: string;
  /** Another tool of the agent whose tool this is, where several agents use the name. */
  readonly beside?: string;
  readonly input: (action: Action, cwd: string) => Fields | undefined;
}

const ifWrite =
  (make: (path: string, text: string) => Fields) =>
  (action: Action, cwd: string): Fields | undefined =>
    action.type === 'write'
      ? make(action.path.startsWith('/') ? action.path : `${cwd}/${action.path}`, action.text)
      : undefined;

const asCommand =
  (make: (command: string) => Fields) =>
  (action: Action): Fields =>
    make(action.type === 'run' ? action.command : writing(action.path, action.text));

/** In plain words: some agents refuse commands with others in them. */
const writing = (path: string, text: string): string =>
  `mkdir -p '${posix.dirname(path)}' && printf '%s' '${text}' > '${path}'`;

/** In this order, the first that the agent offers and that can do it. */
const TOOLS: readonly Tool[] = [
  { name: 'Write', beside: 'FetchURL', input: ifWrite((path, content) => ({ path, content })) },
  { name: 'Write', input: ifWrite((file_path, content) => ({ file_path, content })) },
  { name: 'write_file', input: ifWrite((file_path, content) => ({ file_path, content })) },
  { name: 'Bash', input: asCommand((command) => ({ command, description: 'does it', timeout: 600_000 })) },
  { name: 'run_shell_command', input: asCommand((command) => ({ command, description: 'does it' })) },
  { name: 'exec_command', input: asCommand((cmd) => ({ cmd, yield_time_ms: 30_000 })) },
  { name: 'shell_command', input: asCommand((command) => ({ command, timeout_ms: 600_000 })) },
  { name: 'shell', beside: 'load_skill', input: asCommand((command) => ({ command })) },
  { name: 'shell', input: asCommand((command) => ({ command: ['bash', '-c', command], timeout_ms: 600_000 })) },
  { name: 'bash', input: asCommand((command) => ({ command, description: 'does it', timeout: 600_000 })) },
];

let calls = 0;

/** Undefined when the agent has no tool for it, as in the side requests that some make. */
export function callFor(action: Action, { tools, text }: Asked): Call | undefined {
  const cwd = folderIn(text);
  for (const { name, beside = name, input } of TOOLS) {
    const isOffered = tools.includes(name) && tools.includes(beside);
    const isUsable = isOffered && (action.type === 'run' || cwd !== undefined || !/write/i.test(name));
    const made = isUsable ? input(action, cwd ?? '') : undefined;
    if (made === undefined) continue;
    calls += 1;
    return { type: 'call', id: `call_${calls}`, tool: name, input: made };
  }
  return undefined;
}

/** Undefined when the agent has no such tool. */
export function namedCall({ tool, input }: Extract<Move, { type: 'call' }>, { tools }: Asked): Call | undefined {
  if (!tools.includes(tool)) return undefined;
  calls += 1;
  const value: unknown = JSON.parse(input);
  return { type: 'call', id: `call_${calls}`, tool, input: isFields(value) ? value : {} };
}

/** Of an agent whose commands go on in the background: waits for the one that it was told last is still running. */
export function waitingCall({ running, tools }: Asked): Call | undefined {
  if (running === undefined || !tools.includes('write_stdin')) return undefined;
  calls += 1;
  const input = { session_id: running, chars: '', yield_time_ms: 30_000 };
  return { type: 'call', id: `call_${calls}`, tool: 'write_stdin', input };
}

/** Of an agent that takes values by a tool of its own. */
export function valueCall(text: string, { tools }: Asked): Call | undefined {
  if (!tools.includes('StructuredOutput')) return undefined;
  calls += 1;
  const value: unknown = JSON.parse(text);
  return { type: 'call', id: `call_${calls}`, tool: 'StructuredOutput', input: isFields(value) ? value : {} };
}

/** The agents tell the model where they work, each in its own words. */
const folderIn = (text: string): string | undefined =>
  /(?:working directory|cwd|current directory)[^/\n]{0,30}?(\/[^\s"\\<`']+)/i.exec(text)?.[1];
