// Adds `heddle mcp` to the settings of a program that speaks the Model Context Protocol, or removes it.
//
// client-settings/K1. Only the entry `heddle` is touched: every other character of the file stays, and what the file says
//     besides is read before and after and must be equal.
// client-settings/K2. The file is replaced whole or not at all, and only while it is as it was when the change was shown.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readJsonTable, readTomlTable, tableAt, type Table } from '../../shell/sandbox/isolation/settings-formats.ts';
import { findProgram } from '../git/git-here.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { readTextIfThere } from '../plan/read-file.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import type { McpClient } from './mcp-clients.ts';
import { removeFromJson, setInJson, type JsonEdit, type JsonValue } from './jsonc-edit.ts';
import { readToml } from './read-toml.ts';
import { removeFromToml, setInToml } from './toml-edit.ts';

export interface ClientSettingsRequest {
  readonly client: McpClient;
  readonly project: Project;
  /** The settings of the project, which its repository shares; else those of the user. */
  readonly isOfProject: boolean;
  readonly isReadOnly: boolean;
  /** The entry is removed instead. */
  readonly isRemoval: boolean;
}

export interface SettingsChange {
  readonly file: string;
  /** Undefined when the file is not there yet. */
  readonly before: string | undefined;
  /** Equal to `before` when the entry is there already, or there is none to remove. */
  readonly after: string;
}

const NAME = 'heddle';

export function proposeSettings(request: ClientSettingsRequest): SettingsChange {
  const file = fileOf(request);
  const before = readTextIfThere(file);
  const edit = request.client === 'codex' ? inToml : inJson;
  return { file, before, after: withFormOf(before ?? '', (text) => edit(file, text, request)) };
}

const MARK = '\uFEFF';

/** Edits a text without the mark at its beginning and with plain line breaks; the result has those of the text again. */
function withFormOf(whole: string, edit: (text: string) => string): string {
  const mark = whole.startsWith(MARK) ? MARK : '';
  const text = whole.slice(mark.length);
  const isOfWindows = text.includes('\r\n') && !/(?<!\r)\n/u.test(text);
  if (!isOfWindows) return mark + edit(text);
  return mark + edit(text.replaceAll('\r\n', '\n')).replaceAll('\n', '\r\n');
}

export function writeSettings({ file, before, after }: SettingsChange): void {
  if (readTextIfThere(file) !== before) throw new Refused({ code: 'settings-changed', file });
  try {
    // A link stays a link, and its file keeps who may read it.
    const target = before === undefined ? linkedFrom(file) : realpathSync(file);
    mkdirSync(dirname(target), { recursive: true });
    const mode = before === undefined ? 0o600 : statSync(target).mode;
    const written = `${target}.${process.pid}.heddle`;
    writeFileSync(written, after, { mode, flag: 'wx' });
    renameSync(written, target);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'unwritable', file, message }, { cause });
  }
}

/** The file that a link leads to, which is not there yet. */
function linkedFrom(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}

function fileOf({ client, project: { root }, isOfProject }: ClientSettingsRequest): string {
  const home = homedir();
  switch (client) {
    case 'claude':
      return isOfProject ? join(root, '.mcp.json') : join(absolute('CLAUDE_CONFIG_DIR') ?? home, '.claude.json');
    case 'codex':
      return join(isOfProject ? join(root, '.codex') : (absolute('CODEX_HOME') ?? join(home, '.codex')), 'config.toml');
    case 'gemini':
      return join(isOfProject ? root : home, '.gemini', 'settings.json');
    case 'opencode': {
      const folder = isOfProject ? root : join(absolute('XDG_CONFIG_HOME') ?? join(home, '.config'), 'opencode');
      const commented = join(folder, 'opencode.jsonc');
      return existsSync(commented) ? commented : join(folder, 'opencode.json');
    }
  }
}

function absolute(variable: string): string | undefined {
  const value = process.env[variable];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** The program by its name where a shell finds it, else by its place. */
function commandOf({ isReadOnly }: ClientSettingsRequest): readonly [string, ...string[]] {
  const flags = ['mcp', ...(isReadOnly ? ['--read-only'] : [])];
  if (findProgram(NAME) !== undefined) return [NAME, ...flags];
  return [process.execPath, join(PACKAGE_ROOT, 'bin', 'heddle.js'), ...flags];
}

function inToml(file: string, before: string, request: ClientSettingsRequest): string {
  const form = readToml(before);
  if (form.type === 'fault') throw new Refused({ code: 'settings-malformed', file, line: form.line });
  const [command, ...args] = commandOf(request);
  const table = ['mcp_servers', NAME] as const;
  const edited = request.isRemoval ? removeFromToml(before, table) : setInToml(before, table, { command, args });
  const after = edited ?? before;
  // The same servers as an inline table or by dotted keys: a second table of the name would be no TOML.
  const isTwice = after.startsWith(before) && after !== before && NAME in tableAt(readTomlTable(before), 'mcp_servers');
  if (isTwice || /^\s*mcp_servers\s*[=.]/mu.test(before)) throw new Refused({ code: 'settings-unclear', file });
  const [read, written] = [readTomlTable(before), readTomlTable(after)];
  mustBeKept(file, { before: read, after: written, key: 'mcp_servers', isRemoval: request.isRemoval });
  return after;
}

function inJson(file: string, before: string, request: ClientSettingsRequest): string {
  const key = request.client === 'opencode' ? 'mcp' : 'mcpServers';
  const [command, ...args] = commandOf(request);
  const isThere = NAME in tableAt(readJsonTable(before), key);
  const entry: Readonly<Record<string, JsonValue>> =
    request.client === 'opencode'
      ? { type: 'local', command: [command, ...args] }
      : { ...(request.client === 'claude' ? { type: 'stdio' } : {}), command, args };
  let after = before;
  for (const editOf of editsFor(request, [key, NAME], { entry, isThere })) {
    const edit = editOf(after);
    if (edit.type === 'malformed')
      throw new Refused({ code: 'settings-malformed', file, line: after.slice(0, edit.at).split('\n').length });
    if (edit.type === 'edited') after = edit.text;
  }
  const [read, written] = [readJsonTable(before), readJsonTable(after)];
  mustBeKept(file, { before: read, after: written, key, isRemoval: request.isRemoval });
  return after;
}

interface JsonEntry {
  readonly entry: Readonly<Record<string, JsonValue>>;
  readonly isThere: boolean;
}

function editsFor(
  { isRemoval }: ClientSettingsRequest,
  path: readonly string[],
  { entry, isThere }: JsonEntry,
): readonly ((text: string) => JsonEdit)[] {
  if (isRemoval) return [(text) => removeFromJson(text, path)];
  if (!isThere) return [(text) => setInJson(text, path, entry)];
  // Other fields of an entry that is there, such as its environment, are the user's.
  return Object.entries(entry).map(
    ([field, value]) =>
      (text) =>
        setInJson(text, [...path, field], value),
  );
}

interface Compared {
  readonly before: Table;
  readonly after: Table;
  readonly key: string;
  readonly isRemoval: boolean;
}

/** Refused where a file is written in a way that the edit does not understand. */
function mustBeKept(file: string, { before, after, key, isRemoval }: Compared): void {
  const without = (table: Table): string => {
    const { [NAME]: _ours, ...servers } = tableAt(table, key);
    const { [key]: _servers, ...rest } = table;
    return JSON.stringify([rest, servers]);
  };
  const isThere = NAME in tableAt(after, key);
  if (isThere === isRemoval || without(before) !== without(after))
    throw new Refused({ code: 'settings-unclear', file });
}
