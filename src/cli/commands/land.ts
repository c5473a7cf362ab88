import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { confirmed } from '../terminal/ask.ts';
import { landInGit, targetOf } from '../../app/git/land-in-git.ts';
import type { How } from '../../app/git/land-run.ts';
import { checkingText, landingExit, landingLines, previewText, pullRequestLines } from '../text/landing-text.ts';
import { openPullRequest } from '../../app/git/pull-request.ts';
import { mustBeWhole } from '../../app/git/what-lands.ts';
import { openRunInGit, type RunInGit } from '../../app/git/open-run.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { openProject } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import type { Project } from '../../app/project.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  const open = openProject('read');
  const record = chooseRun(open.store, run);
  const inGit = await openRunInGit(open, record);
  open.store.close();
  if (!flags.completed) mustBeWhole(inGit);
  if (flags.pr) return await landByPullRequest(terminal, { inGit, project: open.project, flags });
  const outcome = await landInGit(open.project, inGit, {
    onto: flags.onto,
    how: flags.how,
    isDry: flags.dryRun,
    confirm: (preview) => confirmed(terminal, `Land ${previewText(record.run, preview)}?`, flags.yes),
    onCheck: (checking) => terminal.err(checkingText(checking)),
  });
  if (flags.json)
    terminal.out(
      JSON.stringify({ run: record.run, ...outcome, says: landingLines(record.run, outcome) }, undefined, 2),
    );
  else {
    const print = landingExit(outcome) === EXIT.done ? terminal.out : terminal.err;
    print(landingLines(record.run, outcome).join('\n'));
  }
  return landingExit(outcome);
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
