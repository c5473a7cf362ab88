// Variables that the settings of a program name, such as the key of a provider of the user's own: the program needs them,
// though they are no names of its kind.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TurnRequest } from '../../ports/agents.ts';

export interface SettingsFiles {
  /** Below the home folder. */
  readonly files: readonly string[];
  /** A variable that holds another folder in place of that of the first file, or the path of a file. */
  readonly variable: string;
  /** Matches names of variables, alone or in a list of texts. */
  readonly pattern: RegExp;
}

/** The keys of a provider's table that name variables: its key, and the values of headers. */
export const CODEX_SETTINGS: SettingsFiles = {
  files: ['.codex/config.toml'],
  variable: 'CODEX_HOME',
  pattern: /\benv_key["']?\s*=\s*["'](\w+)["']|\benv_http_headers["']?\s*=\s*\{([^}]*)\}/gu,
};

/** `{env:NAME}` is replaced by the value of a variable. */
export const OPENCODE_SETTINGS: SettingsFiles = {
  files: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
  variable: 'OPENCODE_CONFIG',
  pattern: /\{env:(\w+)\}/gu,
};

/** The names in the user's settings, and in settings among the plan's `args`. */
export function namedVariables({ files, variable, pattern }: SettingsFiles, request: TurnRequest): readonly string[] {
  const { agent, environment } = request;
  const home = environment['HOME'] ?? homedir();
  const moved = environment[variable];
  const [first = ''] = files;
  const others = moved === undefined ? [] : [moved, join(moved, first.slice(first.lastIndexOf('/') + 1))];
  const texts = [...files.map((file) => join(home, file)), ...others].map(readIfThere);
  return [...texts, ...agent.args].flatMap((text) =>
    [...text.matchAll(pattern)].flatMap(([, name = '', table = '']) => [...wordsIn(name), ...wordsIn(table)]),
  );
}

/** A name, or the texts of a table of names. */
const wordsIn = (group: string): readonly string[] =>
  /^\w+$/u.test(group) ? [group] : [...group.matchAll(/[=:]\s*["'](\w+)["']/gu)].map(([, name = '']) => name);

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Without settings there is no provider of the user's own.
    return '';
  }
}
