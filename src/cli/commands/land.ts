import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { confirmed } from '../ask.ts';
import { landInGit, targetOf } from '../../app/git/land-in-git.ts';
import type { How } from '../../app/git/land-run.ts';
import { landingExit, landingLines, previewText } from '../text/landing-text.ts';
import { openPullRequest } from '../run/pull-request.ts';
import { whatLands, type WhatLands } from '../../app/git/what-lands.ts';
import { openRunInGit, type RunInGit } from '../../app/git/open-run.ts';
import { plural } from '../text/rows.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { openHere } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import type { Terminal } from '../terminal.ts';

export interface LandFlags {
  readonly onto: string | undefined;
  readonly how: How;
  readonly completed: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly pr: boolean;
  readonly json: boolean;
}

/** `heddle land`: the one time that a branch of the user's moves. */
export async function land(terminal: Terminal, run: string | undefined, flags: LandFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('read');
  const record = chooseRun(open.store, run);
  const inGit = await openRunInGit(open, record);
  open.store.close();
  const lands = whatLands(inGit.folded.state);
  if (!lands.isWhole && !flags.completed) throw new Failure(notWhole(record.run, inGit, lands));
  if (flags.pr) {
    const target = targetOf(inGit, flags.onto);
    return openPullRequest(terminal, { inGit, project: open.project, target, flags });
  }
  const outcome = await landInGit(open.project, inGit, {
    onto: flags.onto,
    how: flags.how,
    isDry: flags.dryRun,
    confirm: (preview) => confirmed(terminal, `Land ${previewText(record.run, preview)}?`, flags.yes),
    say: terminal.err,
  });
  if (flags.json) terminal.out(JSON.stringify({ run: record.run, ...outcome }, undefined, 2));
  else {
    const print = landingExit(outcome) === EXIT.done ? terminal.out : terminal.err;
    print(landingLines(record.run, outcome).join('\n'));
  }
  return landingExit(outcome);
}

function notWhole(run: string, { folded }: RunInGit, { done, undone }: WhatLands): string {
  const total = done.length + undone.length;
  const stands = folded.state.run.stage === 'ended' ? 'did not end well' : 'has not ended';
  const counts = `${done.length} of the ${plural(total, 'task')} that bring work are done`;
  if (done.length === 0) return `${run} ${stands}, and none of its tasks is done, so there is nothing to land.`;
  return `${run} ${stands}: ${counts}. heddle land ${run} --completed lands those.`;
}
