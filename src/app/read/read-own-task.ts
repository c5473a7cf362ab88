// The task of the step around this process, where its log cannot be read: in a sandbox that the system isolates only the
// folder of the attempt is there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { STORE_FILE } from '../../shell/store/store-files.ts';
import type { StepTags } from '../../shell/exec/tagged-processes.ts';
import { artifactsIn, CLOCK } from '../local-parts.ts';
import type { Project } from '../project.ts';
import { outputEndOf, recordOf } from './output-reader.ts';

export interface OwnTask {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  /** Undefined of a command. */
  readonly agent: string | undefined;
  readonly prompt: string | undefined;
  readonly runningMs: number;
  /** The end of the output of the attempt; undefined when it printed nothing. */
  readonly tail: string | undefined;
}

interface OwnTaskRequest {
  readonly tags: StepTags;
  readonly tailBytes: number;
}

/** Undefined where the log is there to be read, and of a process whose attempt is not known. */
export function readOwnTask(project: Project, { tags, tailBytes }: OwnTaskRequest): OwnTask | undefined {
  const { run, task, step, home = project.home } = tags;
  const attempt = Number(tags.attempt);
  if (existsSync(join(home, STORE_FILE)) || task === undefined || step === undefined) return undefined;
  const claim: ClaimRef = { work: 'step', task, step, attempt };
  const artifacts = artifactsIn({ home });
  const record = recordOf({ artifacts, run, claim }, 'attempt');
  if (record === undefined) return undefined;
  const work = fieldsAt(fieldsAt(record, 'assignment'), 'work');
  return {
    task,
    step,
    attempt,
    agent: textAt(fieldsAt(work, 'agent'), 'name'),
    prompt: textAt(work, 'prompt'),
    runningMs: Math.max(0, CLOCK.now() - Number(record['at'])),
    tail: outputEndOf(artifacts, { run, claim, name: 'output' }, tailBytes),
  };
}

const fieldsAt = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isObject(value) ? value : {};
};

function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}
