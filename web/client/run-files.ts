// The files of a task's claims as the server gives them: outputs by range of bytes, and the diff of its work.
import type { OutputsReply } from '../../src/core/protocol/web.ts';
import { runPath } from './server-api.ts';

/** One claim with its output. */
export type ClaimOutput = OutputsReply['claims'][number];

export interface TaskAddress {
  readonly project: string;
  readonly run: string;
  readonly task: string;
}

export const outputsPath = ({ project, run, task }: TaskAddress): string =>
  runPath(project, run, `outputs?${new URLSearchParams({ task }).toString()}`);

interface OutputRange {
  readonly of: ClaimOutput;
  readonly part: string;
  readonly from: number;
  readonly length: number;
}

export function outputPath({ project, run, task }: TaskAddress, { of, part, from, length }: OutputRange): string {
  const query = new URLSearchParams({
    task,
    work: of.work,
    ...(of.step === undefined ? {} : { step: of.step }),
    attempt: String(of.attempt),
    part,
    from: String(from),
    length: String(length),
  });
  return runPath(project, run, `output?${query.toString()}`);
}

export function diffPath({ project, run, task }: TaskAddress, step: string | undefined): string {
  const query = new URLSearchParams(step === undefined ? { task } : { task, step });
  return runPath(project, run, `diff?${query.toString()}`);
}
