// Writes an accepted draft as a plan file.
//
// accept-draft/A1. No file of the user's is overwritten: a plan that is there stays, and the draft gets another name. Only
//     the file that is revised is replaced, and only while it is what the revision began with.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { withReasons } from '../../core/draft/written-plan.ts';
import { readTextIfThere } from '../plan/read-file.ts';
import { Refused } from '../refused.ts';
import type { Drafting } from './drafting.ts';
import type { JudgedDraft } from './judge-answer.ts';

export interface AcceptedFile {
  /** As the order names it, or with a number where that was taken. */
  readonly file: string;
  readonly text: string;
  /** Why it is not the file that was asked for. */
  readonly wasTaken: boolean;
}

export interface Accepted {
  readonly judged: Pick<JudgedDraft, 'reasons' | 'assumptions'>;
  /** The text of the plan, as drafted or as edited. */
  readonly text: string;
}

export function writeAccepted({ settings, record, open }: Drafting, { judged, text }: Accepted): AcceptedFile {
  const { goal, agent, file: wanted, revises } = settings;
  const { reasons, assumptions } = judged;
  const by = `Drafted by ${agent}; heddle turns ${record.run} shows how.`;
  const whole = withReasons(text, { goal, by, reasons, assumptions });
  const at = (file: string): string => resolve(open.project.root, file);
  const mayReplace = revises !== undefined && readTextIfThere(at(wanted)) === revises.text;
  const file = mayReplace ? wanted : freeName(wanted, (name) => existsSync(at(name)));
  try {
    if (mayReplace) replace(at(file), whole);
    else writeFileSync(at(file), whole, { flag: 'wx' });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'unwritable', file, message }, { cause });
  }
  return { file, text: whole, wasTaken: file !== wanted };
}

/** At once or not at all. */
function replace(file: string, text: string): void {
  const beside = resolve(dirname(file), `.${process.pid}.plan`);
  writeFileSync(beside, text, { flag: 'wx' });
  renameSync(beside, file);
}

const NAMES_MAX = 1_000;

/** `plan.yaml`, else `plan-2.yaml` and so on. */
function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  const ending = extname(wanted);
  const stem = wanted.slice(0, wanted.length - ending.length);
  for (let number = 2; number < NAMES_MAX; number += 1) {
    const name = `${stem}-${number}${ending}`;
    if (!isTaken(name)) return name;
  }
  throw new Refused({ code: 'file-exists', file: wanted });
}
