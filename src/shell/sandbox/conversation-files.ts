// The files in which an agent's program keeps a conversation, on their way to another machine: from the home of one turn into
// that of the next. The programs find a conversation by its id in any home and in any folder of work, as long as the files keep
// their names and their folders below that of the program.
//
// conversation-files/P1. A file is of a conversation when the id is its name or that of a folder around it. With a conversation
//     go those off which it was branched; nothing else of a home is read.
// conversation-files/P2. Both homes are written by programs of sandboxes, and what arrives by another machine: links are not
//     followed, and a file lands below the folder of the program or nowhere.
import { constants, readdirSync } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { branchedFrom, ORIGINS_MAX } from './conversation-origin.ts';
import { placeAt } from './tree/place-paths.ts';
import { foldersOf } from './tree/sandbox-context.ts';
import type { ConversationCarrier, ConversationHome } from '../ports/conversation-carrier.ts';

/** Of all files of a conversation. */
const BYTES_MAX = 23 * 1024 * 1024;
const FILES_MAX = 200;
/** More entries than this are not looked through. */
const ENTRIES_MAX = 20_000;
/** An id shorter than this could be part of any name. */
const ID = /^[\w.-]{8,200}$/;
const OWNER_ONLY = 0o600;

interface Keeping {
  /** The folder of the program below the home folder. */
  readonly folder: string;
  /** Names another folder of the program, outside of sandboxes. */
  readonly variable: string;
  /** Where it keeps conversations, below its folder. */
  readonly below: string;
}

const KEEPING: ReadonlyMap<string, Keeping> = new Map([
  ['claude', { folder: '.claude', variable: 'CLAUDE_CONFIG_DIR', below: 'projects' }],
  ['codex', { folder: '.codex', variable: 'CODEX_HOME', below: 'sessions' }],
]);

interface ConversationFile {
  /** Below the folder of the program. */
  readonly path: string;
  readonly base64: string;
}

interface Packed extends Pick<ConversationHome, 'use' | 'id'> {
  readonly files: readonly ConversationFile[];
  /** The conversations off which it was branched, the latest first. */
  readonly origins?: readonly string[];
}

/** The home folders in the sandbox of a task; none without isolation, where programs have that of the user. */
export function homesInSandbox(
  home: string,
  { run, task }: { readonly run: string; readonly task: string },
): readonly string[] {
  const { homes } = placeAt(join(foldersOf(home).sandboxes, run, task));
  try {
    return readdirSync(homes).map((name) => join(homes, name));
  } catch {
    // There is no sandbox of the task, or none with homes.
    return [];
  }
}

export const conversationFiles: ConversationCarrier = { pack, unpack };

async function pack(of: ConversationHome, clean: (bytes: Buffer) => Buffer): Promise<string | undefined> {
  const { use, id } = of;
  const root = rootOf(of);
  const keeping = KEEPING.get(use);
  if (root === undefined || keeping === undefined || !ID.test(id)) return undefined;
  const ids = new Set([id]);
  const files: ConversationFile[] = [];
  let bytes = 0;
  // A set is iterated in the order of insertion, with what is added meanwhile.
  for (const each of ids) {
    for (const file of await filesOf(join(root, keeping.below), each)) {
      const content = await readPlain(file);
      if (content === undefined) continue;
      bytes += content.length;
      if (bytes > BYTES_MAX || files.length === FILES_MAX) return undefined;
      files.push({ path: relative(root, file).split(sep).join('/'), base64: clean(content).toString('base64') });
      const origin = branchedFrom(content);
      if (origin !== undefined && ids.size < ORIGINS_MAX) ids.add(origin);
    }
  }
  const packed: Packed = { use, id, files, origins: [...ids].slice(1) };
  return files.length === 0 ? undefined : JSON.stringify(packed);
}

async function unpack(to: ConversationHome, text: string): Promise<boolean> {
  const root = rootOf(to);
  const packed = readPacked(text);
  if (root === undefined || packed?.use !== to.use || packed.id !== to.id) return false;
  const { below } = KEEPING.get(to.use) ?? { below: '' };
  const ids = [to.id, ...(packed.origins ?? [])];
  const isSafe = packed.files.every(({ path }) => ids.some((id) => isOfConversation(path, below, id)));
  if (!isSafe || packed.files.length === 0) return false;
  try {
    const base = to.home ?? root;
    const inBase = relative(base, root).split(sep);
    for (const { path, base64 } of packed.files)
      await writePlain(base, [...inBase, ...path.split('/')], Buffer.from(base64, 'base64'));
    return true;
  } catch {
    // A link in the way, or a full disk: the program then does not find the conversation, and says so.
    return false;
  }
}

function rootOf({ use, home, environment }: ConversationHome): string | undefined {
  const keeping = KEEPING.get(use);
  if (keeping === undefined) return undefined;
  if (home !== undefined) return join(home, keeping.folder);
  return environment[keeping.variable] ?? join(environment['HOME'] ?? homedir(), keeping.folder);
}

async function filesOf(folder: string, id: string): Promise<readonly string[]> {
  const found: string[] = [];
  const pending = [{ path: folder, isOfId: false }];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined && seen < ENTRIES_MAX; next = pending.pop()) {
    const { path, isOfId } = next;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      const isIt = isOfId || entry.name.includes(id);
      if (entry.isDirectory()) pending.push({ path: join(path, entry.name), isOfId: isIt });
      else if (entry.isFile() && isIt) found.push(join(path, entry.name));
    }
  }
  return found.toSorted();
}

async function readPlain(file: string): Promise<Buffer | undefined> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (opened === undefined) return undefined;
  try {
    const status = await opened.stat();
    return status.isFile() && status.size <= BYTES_MAX ? await opened.readFile() : undefined;
  } finally {
    await opened.close();
  }
}

const isOfConversation = (path: string, below: string, id: string): boolean =>
  path.startsWith(`${below}/`) &&
  path.includes(id) &&
  !/[\\\p{Cc}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Below a folder that no program of a sandbox can have replaced. */
async function writePlain(base: string, path: readonly string[], content: Buffer): Promise<void> {
  const name = path.at(-1) ?? '';
  let folder = base;
  await mkdir(base, { recursive: true });
  for (const part of path.slice(0, -1)) {
    folder = join(folder, part);
    await mkdir(folder).catch(() => undefined);
    const status = await lstat(folder);
    if (!status.isDirectory()) throw new Error(`${folder} is not a folder`);
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(join(folder, name), flags, OWNER_ONLY);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

function readPacked(text: string): Packed | undefined {
  const value = valueOf(text);
  if (!isFields(value)) return undefined;
  const { use, id, files, origins = [] } = value;
  if (typeof use !== 'string' || typeof id !== 'string' || !Array.isArray(files) || files.length > FILES_MAX)
    return undefined;
  if (!isIds(origins)) return undefined;
  const read = files.flatMap((file: unknown): readonly ConversationFile[] => {
    if (!isFields(file)) return [];
    const { path, base64 } = file;
    return typeof path === 'string' && typeof base64 === 'string' ? [{ path, base64 }] : [];
  });
  return read.length === files.length ? { use, id, files: read, origins } : undefined;
}

const isIds = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length < ORIGINS_MAX && value.every((id) => typeof id === 'string' && ID.test(id));

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no conversation.
    return undefined;
  }
}
