// Whether an agent may use a tool: the one rule for all programs that ask before they do.
//
// permission/U1. What a person has decided goes first, then what the plan lists, then what it says of all else.
// permission/U2. A star in a pattern stands for no sign by which a shell runs something else as well: `npm test*` lets
//     nobody run `npm test; rm -rf .`.
import { createHash } from 'node:crypto';
import type { Permission } from '../../../core/protocol/result.ts';
import type { TurnRequest } from '../../ports/agents.ts';
import { oneLine, textAt, type Fields } from './fields.ts';

export interface PermissionRules {
  readonly policy: 'allow' | 'deny' | 'gate';
  readonly allow: readonly string[];
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** Something that an agent wants to use. */
export interface Wanted {
  /** As its program calls it, and of which kind it is for all of them: edit, execute, fetch. */
  readonly tool: string;
  readonly kind: string;
  /** The command or the path, whole. */
  readonly about: string;
}

export interface Ruling {
  readonly type: 'allow' | 'deny' | 'ask';
  /** Whether a person has said so, and not the plan. */
  readonly isByPerson: boolean;
}

/** Nobody is asked where the plan says nothing, but a list that it has says that the rest may not be used. */
export const rulesOf = ({ allow = [], permissions }: TurnRequest): PermissionRules => ({
  policy: permissions?.policy ?? (allow.length > 0 ? 'deny' : 'allow'),
  allow,
  granted: permissions?.granted ?? [],
  refused: permissions?.refused ?? [],
});

export function ruleOn(rules: PermissionRules, wanted: Wanted): Ruling {
  const { key } = permissionFor(wanted);
  if (rules.refused.includes(key)) return { type: 'deny', isByPerson: true };
  if (rules.granted.includes(key)) return { type: 'allow', isByPerson: true };
  if (rules.policy === 'allow' || rules.allow.some((entry) => isMeant(entry, wanted)))
    return { type: 'allow', isByPerson: false };
  return { type: rules.policy === 'gate' ? 'ask' : 'deny', isByPerson: false };
}

const KEY_LENGTH = 24;

/** With all that it is about: it is cut for people only where secrets have been taken out, since half of one is not known. */
export function permissionFor({ tool, about }: Wanted): Permission {
  const key = createHash('sha256')
    .update(JSON.stringify([tool, about]))
    .digest('hex')
    .slice(0, KEY_LENGTH);
  return { tool, about, key };
}

/** As a program of ours has printed it, in one line for people; undefined when that was something else. */
export function permissionIn(fields: Fields): Permission | undefined {
  const key = textAt(fields, 'key');
  return key === '' ? undefined : { tool: textAt(fields, 'tool'), about: oneLine(textAt(fields, 'about')), key };
}

export const questionFor = ({ tool, about }: Permission): string =>
  `Permission to use ${tool}${about === '' ? '' : `: ${about}`}?`;

/** Of tools by the names that one program gives them, so that a pattern written for it holds for others. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['Bash', 'execute'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Write', 'edit'],
  ['Read', 'read'],
  ['Glob', 'search'],
  ['Grep', 'search'],
  ['WebFetch', 'fetch'],
  ['WebSearch', 'fetch'],
]);

export const kindOf = (tool: string): string => KINDS.get(tool) ?? 'other';

const WORDS_OF_KINDS: ReadonlySet<string> = new Set([...KINDS.values(), 'delete', 'move', 'think', 'other']);

function isMeant(entry: string, wanted: Wanted): boolean {
  const [, name, inner] = /^([\w.*-]+)\(([\s\S]*)\)$/u.exec(entry) ?? [];
  if (name !== undefined && inner !== undefined) return isNamed(name, wanted) && fits(inner, wanted.about);
  if (isNamed(entry, wanted)) return true;
  // Whoever writes a command, or the beginning of one, means that.
  return !WORDS_OF_KINDS.has(entry) && !KINDS.has(entry) && fits(`${entry.replace(/\*$/u, '')}*`, wanted.about);
}

/** A tool whose name says nothing to anybody else is known by those of one that many write patterns for. */
const isNamed = (name: string, { tool, kind }: Wanted): boolean =>
  name === kind || fits(name, tool) || (!KINDS.has(tool) && KINDS.get(name) === kind);

const ANYTHING = '[^;&|<>`$()\\n\\r]*';

function fits(pattern: string, text: string): boolean {
  // `npm test:*` is how Claude Code writes `npm test`, alone or with words after it.
  const [, head, tail] = /^([\s\S]*):(\*)$/u.exec(pattern) ?? [];
  const parts = (head ?? pattern).split(/\*+/u).map((part) => part.replaceAll(/[.+?^${}()|[\]\\/]/gu, String.raw`\$&`));
  const end = tail === undefined ? '' : `(?: ${ANYTHING})?`;
  return new RegExp(`^${parts.join(ANYTHING)}${end}$`, 'u').test(text);
}
