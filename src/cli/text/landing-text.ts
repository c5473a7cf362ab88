// The outcome of a landing, as text and as an exit code.
import { failureText } from '../../core/protocol/sandbox-failure.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { listedWithin } from './rows.ts';
import type { LandOutcome, Preview } from '../../app/git/land-run.ts';
import type { PullRequest, Pushed } from '../../app/git/pull-request.ts';
import { shellQuoted } from '../../app/onboarding/calling.ts';

const WIDTH = 60;
const short = (commit: string): string => commit.slice(0, 12);

/** The content of a landing, for the question and for a dry run. */
export function previewText(run: string, { target, tasks, files, hasMoved }: Preview): string {
  const what = `${run} (${listedWithin(tasks, WIDTH)}; ${plural(files, 'file')} changed)`;
  return hasMoved
    ? `${what} on ${target}, which has moved, so the merge of both is checked first`
    : `${what} on ${target}`;
}

/** Printed before a check of commits that no check of the run has seen: the target has moved, or only some tasks land. */
export const checkingText = ({ target, command }: { readonly target: string; readonly command: string }): string =>
  `Checking what will be on ${target}: ${command}`;

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
      return [
        outcome.why === 'no-commits'
          ? `${run} has nothing to land yet.`
          : `All of ${run} is on ${outcome.target} already.`,
      ];
    case 'refused':
      return [refusalText(outcome.refusal)];
    case 'outrun':
      return [`${outcome.target} moved again and again while it was landed on; try once more.`];
    case 'failed':
      return [failureText(outcome.failure)];
    case 'declined':
      return ['Nothing was moved.'];
    case 'conflict':
      return [
        `${outcome.target} has moved and conflicts with the run in ${outcome.paths.join(', ')}.`,
        `Nothing was moved. Merge heddle/${run} yourself, or bring it elsewhere with heddle land ${run} --onto BRANCH.`,
      ];
    case 'check failed':
      return [
        ...(outcome.tail.trim() === '' ? [] : [outcome.tail.trimEnd()]),
        `The merge of both does not pass \`${outcome.command}\`, so nothing was moved.`,
      ];
  }
}

export const pushedText = (pushed: Pushed): string =>
  pushed.type === 'pushed' ? `Pushed ${pushed.branch} to ${pushed.remote}.` : refusalText(pushed.refusal);

export function landingExit({ type }: LandOutcome): ExitCode {
  switch (type) {
    case 'landed':
    case 'ready':
    case 'nothing':
    case 'declined':
      return EXIT.done;
    case 'conflict':
    case 'refused':
    case 'outrun':
    case 'failed':
      return EXIT.waiting;
    case 'check failed':
      return EXIT.someFailed;
  }
}

export function pullRequestLines(made: Exclude<PullRequest, { type: 'declined' }>): readonly string[] {
  const { branch, remote, create } = made;
  const command = create.map(shellQuoted).join(' ');
  switch (made.type) {
    case 'ready':
      return [`Would push ${branch} to ${remote} and run: ${command}`];
    case 'opened':
      return [`Pushed ${branch} to ${remote}.`, made.output];
    case 'pushed': {
      const why = made.output === undefined ? 'There is no gh here' : `gh failed: ${made.output}`;
      return [`Pushed ${branch} to ${remote}. ${why}; open the pull request with: ${command}`];
    }
  }
}
