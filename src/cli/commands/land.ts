import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { confirmed } from '../terminal/ask.ts';
import { landInGit, targetOf } from '../../app/git/land-in-git.ts';
import type { LandStrategy } from '../../app/git/land-run.ts';
import {
  checkingText,
  landingExit,
  landingLines,
  previewText,
  pullRequestLines,
  pushedText,
} from '../text/landing-text.ts';
import { openPullRequest, pushBranch } from '../../app/git/pull-request.ts';
import { mustBeWhole } from '../../app/git/what-to-land.ts';
import { openRunInGit, type RunInGit } from '../../app/git/open-run.ts';
import { chooseRunOrTask, openProject } from '../../app/open-project.ts';
import { mustNotBeNested, type Project } from '../../app/project.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface LandFlags {
  readonly onto: string | undefined;
  readonly how: LandStrategy;
  readonly completed: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly pr: boolean;
  readonly push: boolean;
  /** The run of the task that is named. */
  readonly run: string | undefined;
  readonly json: boolean;
}

/** `heddle land`: the only command that moves a branch of the user's. */
export async function land(terminal: Terminal, named: string | undefined, flags: LandFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('read');
  const { record, task } = chooseRunOrTask(open.store, named, flags.run);
  const inGit = await openRunInGit(open, record);
  open.store.close();
  if (!flags.completed && task === undefined) mustBeWhole(inGit);
  if (flags.pr) return await landByPullRequest(terminal, { inGit, project: open.project, flags });
  const landing = task === undefined ? record.run : `${task} of ${record.run}`;
  const outcome = await landInGit(open.project, inGit, {
    onto: flags.onto,
    task,
    how: flags.how,
    isDry: flags.dryRun,
    confirm: (preview) => confirmed(terminal, `Land ${previewText(landing, preview)}?`, flags.yes),
    onCheck: (checking) => terminal.err(checkingText(checking)),
  });
  const isThere = outcome.type === 'landed' || outcome.type === 'nothing';
  const pushed = flags.push && isThere ? await pushBranch(open.project, outcome.target) : undefined;
  const says = [...landingLines(landing, outcome), ...(pushed === undefined ? [] : [pushedText(pushed)])];
  const exit = pushed?.type === 'refused' ? EXIT.waiting : landingExit(outcome);
  if (flags.json) terminal.out(JSON.stringify({ run: record.run, task, ...outcome, pushed, says }, undefined, 2));
  else {
    const print = exit === EXIT.done ? terminal.out : terminal.err;
    print(says.join('\n'));
  }
  return exit;
}

interface ByPullRequest {
  readonly inGit: RunInGit;
  readonly project: Project;
  readonly flags: LandFlags;
}

/** `heddle land --pr`: a pull request moves the target instead. */
async function landByPullRequest(terminal: Terminal, { inGit, project, flags }: ByPullRequest): Promise<ExitCode> {
  const { run } = inGit.folded.record;
  const target = targetOf(inGit, flags.onto);
  const made = await openPullRequest({
    inGit,
    project,
    target,
    isDry: flags.dryRun,
    confirm: ({ branch, remote }) => confirmed(terminal, `Push ${branch} to ${remote}?`, flags.yes),
  });
  if (made.type === 'declined') return EXIT.done;
  const says = pullRequestLines(made);
  terminal.out(flags.json ? JSON.stringify({ run, type: made.type, target, says }, undefined, 2) : says.join('\n'));
  return EXIT.done;
}
