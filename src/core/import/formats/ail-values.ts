// Templates and conditions of ail in the language of a plan. What has no counterpart is kept as text, or left out.

import { literal } from '../outline/safe-text.ts';

export interface AilNames {
  /** By id in the file: the name in the plan. */
  readonly steps: ReadonlyMap<string, string>;
  /** Of these the output is an object with a key for each step that they join. */
  readonly joins: ReadonlySet<string>;
  /** The step before, in the order of the file. */
  readonly before: string | undefined;
}

export interface Used {
  /** Whether any step reads the prompt that the pipeline was called with. */
  isPromptAsked: boolean;
  readonly env: Set<string>;
}

export interface Rewritten {
  readonly text: string;
  /** Names that mean nothing in a plan, as they were written. */
  readonly unknown: readonly string[];
}

const OUTPUT = /\{\{([^{}]*)\}\}/g;
const ENV = /^env\.([A-Za-z_]\w*)(?:\s*\|\s*default\(\s*"([^"{}]*)"\s*\))?$/;
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['response', 'response'],
  ['result', 'response'],
  ['stdout', 'response'],
  ['stderr', 'response'],
  ['modified', 'response'],
  ['items', 'output'],
  ['exit_code', 'exit_code'],
]);

export function rewriteTemplate(text: string, names: AilNames, used: Used): Rewritten {
  const unknown: string[] = [];
  let written = '';
  let rest = 0;
  for (const found of text.matchAll(OUTPUT)) {
    const name = (found[1] ?? '').trim();
    const known = valueOf(name, names, used);
    if (known === undefined) unknown.push(name);
    written += literal(text.slice(rest, found.index)) + (known === undefined ? literal(found[0]) : `{{ ${known} }}`);
    rest = found.index + found[0].length;
  }
  return { text: written + literal(text.slice(rest)), unknown };
}

/** The name of the value in a plan; undefined when plans have no such value. */
function valueOf(name: string, names: AilNames, used: Used): string | undefined {
  const env = ENV.exec(name);
  if (env !== null) {
    used.env.add(env[1] ?? '');
    return env[2] === undefined ? `env.${env[1]}` : `env.${env[1]} | default: ${JSON.stringify(env[2])}`;
  }
  if (name === 'step.invocation.prompt' || name === 'session.invocation_prompt') {
    used.isPromptAsked = true;
    return 'inputs.prompt';
  }
  if (name === 'last_response') return names.before === undefined ? undefined : `steps.${names.before}.response`;
  return stepValue(name, names);
}

function stepValue(name: string, { steps, joins }: AilNames): string | undefined {
  const [root, written = '', ...path] = name.split('.');
  const id = steps.get(written) ?? steps.get(written.split('::').at(-1) ?? '');
  const isPlain = path.every((part) => /^[A-Za-z_]\w*$/.test(part));
  if (root !== 'step' || id === undefined || path.length === 0 || !isPlain) return undefined;
  const field = path.length === 1 ? FIELDS.get(path[0] ?? '') : undefined;
  if (field !== undefined) return `steps.${id}.${field}`;
  if (!joins.has(id)) return `steps.${id}.output.${path.join('.')}`;
  const [part = '', ...inside] = path;
  const kept = inside.length === 1 && inside[0] === 'response' ? [] : inside;
  return ['steps', id, 'output', steps.get(part) ?? part, ...kept].join('.');
}

const CONDITION = /^\{\{([^{}]*)\}\}\s*(==|!=|contains|starts_with|ends_with)\s*(.+)$/s;
const TESTS: ReadonlyMap<string, string> = new Map([
  ['contains', 'contains'],
  ['starts_with', 'startsWith'],
  ['ends_with', 'endsWith'],
]);

/** An expression of a plan; `always` is none, and undefined is what cannot be said. */
export function rewriteCondition(text: string, names: AilNames): string | undefined {
  const words = text.trim();
  if (words === 'always' || words === 'true') return 'true';
  if (words === 'never' || words === 'false') return 'false';
  const found = CONDITION.exec(words);
  const name = found === null ? undefined : celName((found[1] ?? '').trim(), names);
  if (found === null || name === undefined) return undefined;
  const [, , sign = '', right = ''] = found;
  const value = unquoted(right.trim());
  const test = TESTS.get(sign);
  if (test !== undefined) return `${name}.${test}(${JSON.stringify(value)})`;
  return `${name} ${sign} ${name.endsWith('.exit_code') && /^-?\d+$/.test(value) ? value : JSON.stringify(value)}`;
}

/** An id with a dash is no name in an expression. */
function celName(name: string, names: AilNames): string | undefined {
  if (name === 'last_response' && names.before !== undefined) return `steps["${names.before}"].response`;
  return stepValue(name, names)?.replace(/^steps\.([\w-]+)/, 'steps["$1"]');
}

const unquoted = (words: string): string => /^(["'])(.*)\1$/s.exec(words)?.[2] ?? words;
