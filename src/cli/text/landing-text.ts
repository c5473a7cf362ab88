// What became of a landing, in words and as an exit code.
import { EXIT, type ExitCode } from '../exit-code.ts';
import { listed, plural } from './rows.ts';
import type { LandOutcome, Preview } from '../../app/git/land-run.ts';

const WIDTH = 60;
const short = (commit: string): string => commit.slice(0, 12);

/** What would come, for the question and for a dry run. */
export function previewText(run: string, { target, tasks, files, hasMoved }: Preview): string {
  const what = `${run} (${listed(tasks, WIDTH)}; ${plural(files, 'file')} changed)`;
  return hasMoved
    ? `${what} on ${target}, which has moved, so that what comes of both is checked first`
    : `${what} on ${target}`;
}

export function landingLines(run: string, outcome: LandOutcome): readonly string[] {
  switch (outcome.type) {
    case 'landed': {
      const { target, commit, checkout } = outcome;
      const shown = checkout === undefined ? [] : [`Your checkout at ${checkout} shows it.`];
      return [`Landed ${run} on ${target}, which is at ${short(commit)}.`, ...shown];
    }
    case 'ready':
      return [`Would land ${previewText(run, outcome.preview)}. Nothing was moved.`];
    case 'nothing':
    case 'refused':
    case 'failed':
      return [outcome.message];
    case 'declined':
      return ['Nothing was moved.'];
    case 'conflict':
      return [
        outcome.message,
        `Nothing was moved. Merge heddle/${run} yourself, or bring it elsewhere with heddle land ${run} --onto BRANCH.`,
      ];
    case 'check failed':
      return [
        ...(outcome.tail.trim() === '' ? [] : [outcome.tail.trimEnd()]),
        `What comes of both does not pass \`${outcome.command}\`, so nothing was moved.`,
      ];
  }
}

export function landingExit({ type }: LandOutcome): ExitCode {
  switch (type) {
    case 'landed':
    case 'ready':
    case 'nothing':
    case 'declined':
      return EXIT.done;
    case 'conflict':
    case 'refused':
    case 'failed':
      return EXIT.waiting;
    case 'check failed':
      return EXIT.someFailed;
  }
}
