// Decides whether an agent may use a tool, for all programs that ask.
//
// permission/U1. A person's decision comes first, then the plan's list, then the plan's policy for the rest.
// permission/U2. A star in a pattern does not match shell operators: `npm test*` does not allow `npm test; rm -rf .`.
import { createHash } from 'node:crypto';
import type { Permission } from '../../../core/protocol/result.ts';
import type { TurnRequest } from '../../ports/agents.ts';
import { listAt, oneLine, textField } from './fields.ts';
import { type Fields } from '../../../core/plan/json-fields.ts';

export interface PermissionRules {
  readonly policy: 'allow' | 'deny' | 'gate';
  readonly allow: readonly string[];
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** A tool call that an agent asks permission for. */
export interface WantedTool {
  /** The program's name of the tool, and its kind, common to all programs: edit, execute, fetch. */
  readonly tool: string;
  readonly kind: string;
  /** The command or the path, whole. */
  readonly about: string;
}

export interface PermissionRuling {
  readonly type: 'allow' | 'deny' | 'ask';
  /** Whether a person decided, and not the plan. */
  readonly isByPerson: boolean;
}

/** Without a policy nobody is asked; a list without a policy denies the rest. */
export const rulesOf = ({ allow = [], permissions }: TurnRequest): PermissionRules => ({
  policy: permissions?.policy ?? (allow.length > 0 ? 'deny' : 'allow'),
  allow,
  granted: permissions?.granted ?? [],
  refused: permissions?.refused ?? [],
});

export function ruleOn(rules: PermissionRules, wanted: WantedTool): PermissionRuling {
  const { key } = permissionFor(wanted);
  if (rules.refused.includes(key)) return { type: 'deny', isByPerson: true };
  if (rules.granted.includes(key)) return { type: 'allow', isByPerson: true };
  if (rules.policy === 'allow' || rules.allow.some((entry) => isMeant(entry, wanted)))
    return { type: 'allow', isByPerson: false };
  return { type: rules.policy === 'gate' ? 'ask' : 'deny', isByPerson: false };
}

const KEY_LENGTH = 24;

/** Untruncated: it is shortened for people only after secrets are redacted, since half a secret is not recognised. */
export function permissionFor({ tool, about }: WantedTool): Permission {
  const key = createHash('sha256')
    .update(JSON.stringify([tool, about]))
    .digest('hex')
    .slice(0, KEY_LENGTH);
  return { tool, about, key };
}

/** As Heddle's own dialogue printed it, in one line for people; undefined for any other object. */
export function permissionIn(fields: Fields): Permission | undefined {
  const key = textField(fields, 'key');
  return key === '' ? undefined : { tool: textField(fields, 'tool'), about: oneLine(textField(fields, 'about')), key };
}

export const questionFor = ({ tool, about }: Permission): string =>
  `Permission to use ${tool}${about === '' ? '' : `: ${about}`}?`;

/** The questions, with their choices, of a tool by which an agent asks a person; undefined for any other tool. */
export function questionsIn(input: Fields): string | undefined {
  const questions = listAt(input, 'questions').flatMap((question) => {
    const text = textField(question, 'question').trim();
    const choices = listAt(question, 'options').map((option) => textField(option, 'label'));
    return text === '' ? [] : [`${text}${choices.length === 0 ? '' : ` (${choices.join(', ')})`}`];
  });
  return questions.length === 0 ? undefined : questions.join(' ');
}

/** Kinds by the tool names of one program, so that a pattern written for it works for others. */
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

export const toolKindOf = (tool: string): string => KINDS.get(tool) ?? 'other';

const WORDS_OF_KINDS: ReadonlySet<string> = new Set([...KINDS.values(), 'delete', 'move', 'think', 'other']);

function isMeant(entry: string, wanted: WantedTool): boolean {
  const [, name, inner] = /^([\w.*-]+)\(([\s\S]*)\)$/u.exec(entry) ?? [];
  if (name !== undefined && inner !== undefined) return isNamed(name, wanted) && fits(inner, wanted.about);
  if (isNamed(entry, wanted)) return true;
  // A command, or its beginning, as an entry matches that command.
  return !WORDS_OF_KINDS.has(entry) && !KINDS.has(entry) && fits(`${entry.replace(/\*$/u, '')}*`, wanted.about);
}

/** A tool is also matched by Claude Code's name of its kind, for which most patterns are written. */
const isNamed = (name: string, { tool, kind }: WantedTool): boolean =>
  name === kind || fits(name, tool) || (!KINDS.has(tool) && KINDS.get(name) === kind);

const ANYTHING = '[^;&|<>`$()\\n\\r]*';

function fits(pattern: string, text: string): boolean {
  // `npm test:*` is how Claude Code writes `npm test`, alone or with words after it.
  const [, head, tail] = /^([\s\S]*):(\*)$/u.exec(pattern) ?? [];
  const parts = (head ?? pattern).split(/\*+/u).map((part) => part.replaceAll(/[.+?^${}()|[\]\\/]/gu, String.raw`\$&`));
  const end = tail === undefined ? '' : `(?: ${ANYTHING})?`;
  return new RegExp(`^${parts.join(ANYTHING)}${end}$`, 'u').test(text);
}
