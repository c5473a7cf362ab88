// Pushes a run branch to the user's remote and opens a pull request, or says how.
import { confirmed } from '../ask.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { findProgram } from '../../app/git/find-program.ts';
import type { Project } from '../../app/project.ts';
import { capture } from '../../shell/exec/capture.ts';
import type { Terminal } from '../terminal.ts';
import type { RunInGit } from '../../app/git/open-run.ts';
import { whatLands } from '../../app/git/what-lands.ts';

export interface PullRequestOrder {
  readonly inGit: RunInGit;
  readonly project: Project;
  readonly target: string;
  readonly flags: { readonly yes: boolean; readonly dryRun: boolean; readonly json: boolean };
}

export async function openPullRequest(terminal: Terminal, order: PullRequestOrder): Promise<ExitCode> {
  const { inGit, project, target, flags } = order;
  const { run } = inGit.folded.record;
  const branch = `heddle/${run}`;
  const remote = await remoteFor(project, target);
  const create = [
    'gh',
    'pr',
    'create',
    '--base',
    target,
    '--head',
    branch,
    '--title',
    titleOf(inGit),
    '--body',
    bodyOf(inGit),
  ];
  if (flags.dryRun) {
    say(terminal, order, { type: 'ready', lines: [`Would push ${branch} to ${remote} and run: ${quoted(create)}`] });
    return EXIT.done;
  }
  if (!(await confirmed(terminal, `Push ${branch} to ${remote}?`, flags.yes))) return EXIT.done;
  const published = await inGit.ground.repository.publish(run);
  if (published.type !== 'swapped')
    throw new Failure(
      'message' in published ? published.message : `${branch} of yours is not the run's; rename it first.`,
    );
  const pushed = await runIn(project, ['git', 'push', remote, `refs/heads/${branch}:refs/heads/${branch}`]);
  if (pushed.code !== 0) throw new Failure(`git push to ${remote} failed: ${pushed.said.trim()}`);
  const opened = findProgram('gh') === undefined ? undefined : await runIn(project, create);
  if (opened?.code === 0) {
    say(terminal, order, { type: 'opened', lines: [`Pushed ${branch} to ${remote}.`, opened.said.trim()] });
    return EXIT.done;
  }
  const why = opened === undefined ? 'There is no gh here' : `gh said: ${opened.said.trim()}`;
  say(terminal, order, {
    type: 'pushed',
    lines: [`Pushed ${branch} to ${remote}. ${why}; open the pull request with: ${quoted(create)}`],
  });
  return EXIT.done;
}

interface Said {
  readonly type: 'ready' | 'pushed' | 'opened';
  readonly lines: readonly string[];
}

function say(terminal: Terminal, { inGit, target, flags }: PullRequestOrder, { type, lines }: Said): void {
  const { run } = inGit.folded.record;
  terminal.out(flags.json ? JSON.stringify({ run, type, target, says: lines }, undefined, 2) : lines.join('\n'));
}

const titleOf = ({ folded }: RunInGit): string => folded.compiled.plan.name;

const bodyOf = ({ folded }: RunInGit): string =>
  [`Run ${folded.record.run}:`, '', ...whatLands(folded.state).done.map((task) => `- ${task}`)].join('\n');

/** Where the target is pulled from, else the one remote there is. */
async function remoteFor(project: Project, target: string): Promise<string> {
  const ofTarget = await runIn(project, ['git', 'config', `branch.${target}.remote`]);
  if (ofTarget.code === 0 && ofTarget.said.trim() !== '' && ofTarget.said.trim() !== '.') return ofTarget.said.trim();
  const remotes = (await runIn(project, ['git', 'remote'])).said.split('\n').filter((line) => line !== '');
  const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  if (remote !== undefined) return remote;
  throw new Failure(
    remotes.length === 0
      ? 'There is no remote to push to. Add one with git remote add origin URL.'
      : `There are several remotes (${remotes.join(', ')}). Say which with git config branch.${target}.remote NAME.`,
  );
}

interface Ran {
  readonly code: number;
  /** Both streams. */
  readonly said: string;
}

/** As the user would, with their settings, their hooks and their terminal to type a password. */
async function runIn({ root }: Project, argv: readonly string[]): Promise<Ran> {
  const options = { cwd: root, input: { type: 'inherit' }, timeoutMs: PERSON_WAITS_MS } as const;
  const { end, stdout, stderr } = await capture(argv, options);
  const said = `${stdout.toString('utf8')}${stderr.toString('utf8')}`;
  if (end.type === 'unstarted') return { code: 127, said: end.message };
  return { code: end.type === 'exited' ? end.code : 1, said };
}

/** A person may have to find a password first. */
const PERSON_WAITS_MS = 3_600_000;

const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
