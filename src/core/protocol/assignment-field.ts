// Reads assignments and claims that came from another machine.
//
// assignment/A1. Names of a claim become names of folders and refs, so that none of them can lead anywhere else.
import {
  isAmount,
  isObject,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  text,
  truth,
  variants,
  WRONG,
  type Field,
} from '../plan/json-fields.ts';
import { agentField, sandboxField, schemaField, takeRulesField } from '../plan/plan-json.ts';
import type {
  Assignment,
  ClaimRef,
  Conversation,
  Limits,
  MergeWork,
  SandboxSource,
  TurnPermissions,
  Work,
  WorkType,
} from './assignment.ts';
import type { Usage } from './result.ts';

const NAME_CHARACTERS_MAX = 1_000;

/** One segment of a path: no slash, no control character, and not a dot in front. */
const SAFE_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u;

export const safeName: Field<string> = (value) =>
  typeof value === 'string' && value.length <= NAME_CHARACTERS_MAX && SAFE_NAME.test(value) && !value.includes('..')
    ? value
    : WRONG;

export const countField: Field<number> = (value) => (Number.isSafeInteger(value) && isAmount(value) ? value : WRONG);

/** Ids of git, of either length. */
export const commit: Field<string> = (value) =>
  typeof value === 'string' && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(value) ? value : WRONG;

const traceParent: Field<string> = (value) =>
  typeof value === 'string' && /^00-[\da-f]{32}-[\da-f]{16}-01$/.test(value) ? value : WRONG;

export const claimField = object<ClaimRef>({
  work: oneOf<WorkType>({ step: true, check: true, merge: true, resolve: true }),
  task: safeName,
  step: maybe(safeName),
  attempt: countField,
});

const isTrue: Field<true> = (value) => (value === true ? value : WRONG);

const texts = listOf(text);

const environment: Field<Readonly<Record<string, string>>> = (value) => {
  if (!isObject(value)) return WRONG;
  const entries = Object.entries(value);
  const read = entries.flatMap(([name, each]) => (typeof each === 'string' ? [[name, each] as const] : []));
  return read.length === entries.length ? Object.fromEntries(read) : WRONG;
};

const usage = object<Usage>({ input: number, cached: number, output: number, usd: maybe(number) });

/** Merges are made where the run branch is, so that no other machine is given one. */
const work = variants<Exclude<Work, MergeWork>>({
  command: { command: text, environment },
  turn: {
    agent: agentField,
    prompt: text,
    conversation: maybe(
      object<Conversation>({
        id: text,
        mode: oneOf({ continue: true, fork: true }),
        task: maybe(safeName),
        carried: maybe(claimField),
        reading: maybe(usage),
      }),
    ),
    allow: maybe(texts),
    permissions: maybe(
      object<TurnPermissions>({ policy: oneOf({ deny: true, gate: true }), granted: texts, refused: texts }),
    ),
    ceilingUsd: maybe(number),
    isReadOnly: maybe(isTrue),
  },
});

const limits = object<Limits>({ timeoutMs: number, idleTimeoutMs: number });

const source = object<SandboxSource>({
  base: commit,
  needs: listOf(commit),
  from: maybe(commit),
  onto: maybe(commit),
  settings: sandboxField,
  isClean: maybe(truth),
  take: maybe(takeRulesField),
  life: maybe(number),
  at: number,
});

export const assignmentField = object<Assignment>({
  claim: claimField,
  work,
  limits,
  output: maybe(schemaField),
  sandbox: maybe(source),
  traceParent: maybe(traceParent),
  leaseMs: maybe(countField),
});
