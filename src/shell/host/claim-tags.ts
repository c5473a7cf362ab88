// The tags that every process of a claim carries in its environment, and how they are read back from the system.
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { TAGS, withTags } from '../exec/tagged-processes.ts';

export interface ClaimTags {
  readonly home: string;
  readonly run: string;
}

/** A check has no step; its tag is empty. */
export const tagsOf = (
  { home, run }: ClaimTags,
  { task, step, attempt }: ClaimRef,
): Readonly<Record<string, string>> => ({
  [TAGS.home]: home,
  [TAGS.run]: run,
  [TAGS.task]: task,
  [TAGS.step]: step ?? '',
  [TAGS.attempt]: String(attempt),
});

/**
 * The claim of this run that an environment belongs to. The system stores it as `NAME=value`, each ended by a zero
 * byte.
 */
export function claimInEnvironment({ home, run }: ClaimTags): (environment: Buffer) => string | undefined {
  // Most processes are not of this run, and their environment is not even parsed.
  const ofRun = withTags({ [TAGS.run]: run, [TAGS.home]: home });
  return (environment) => {
    if (!ofRun(environment)) return undefined;
    const values = valuesIn(environment);
    const task = values.get(TAGS.task);
    const step = values.get(TAGS.step);
    const isOurs = values.get(TAGS.run) === run && values.get(TAGS.home) === home;
    if (!isOurs || task === undefined) return undefined;
    const attempt = Number(values.get(TAGS.attempt));
    return claimKey(
      isOfStep(step) ? { work: 'step', task, step, attempt } : { work: 'check', task, step: undefined, attempt },
    );
  };
}

const isOfStep = (step: string | undefined): boolean => step !== undefined && step !== '';

function valuesIn(environment: Buffer): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const entry of environment.toString('utf8').split('\0')) {
    const at = entry.indexOf('=');
    const name = entry.slice(0, Math.max(at, 0));
    // Of two entries with one name programs see the first.
    if (!values.has(name)) values.set(name, entry.slice(at + 1));
  }
  return values;
}
