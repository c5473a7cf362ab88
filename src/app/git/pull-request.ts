// Pushes a run branch to the user's remote and opens a pull request, or returns the command that would.
import { capture } from '../../shell/exec/capture.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';
import { findProgram } from './git-here.ts';
import type { RunInGit } from './open-run.ts';
import { publishedOf } from '../git-parts.ts';
import { whatLands } from './what-to-land.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';

export interface PullRequestOptions {
  readonly inGit: RunInGit;
  readonly project: Project;
  readonly target: string;
  readonly isDry: boolean;
  readonly confirm: (push: { readonly branch: string; readonly remote: string }) => Promise<boolean>;
}

interface Push {
  readonly branch: string;
  readonly remote: string;
  /** The call of gh that opens the pull request. */
  readonly create: readonly string[];
}

export type PullRequest =
  | ({ readonly type: 'ready' } & Push)
  | { readonly type: 'declined' }
  | ({ readonly type: 'opened'; readonly output: string } & Push)
  /** Pushed only: there is no gh here, or it failed with this output. */
  | ({ readonly type: 'pushed'; readonly output: string | undefined } & Push);

export async function openPullRequest(request: PullRequestOptions): Promise<PullRequest> {
  const { inGit, project, target } = request;
  const { run } = inGit.folded.record;
  const branch = `heddle/${run}`;
  const remote = await remoteFor(project, target);
  const title = inGit.folded.compiled.plan.name;
  const create = `gh pr create --base ${target} --head ${branch} --title`.split(' ');
  const push = { branch, remote, create: [...create, title, '--body', bodyOf(inGit)] };
  if (request.isDry) return { type: 'ready', ...push };
  if (!(await request.confirm(push))) return { type: 'declined' };
  const { integration, folded, base } = inGit;
  const tip = (await integration.repository.read(REFS.runBranch(run))) ?? base;
  const end = (await publishedOf(integration, folded.state, { tip, base })).at(-1)?.commit ?? base;
  const published = await integration.repository.publish(run, end);
  if (published.type !== 'swapped')
    throw new Refused(
      'failure' in published ? { code: 'git', failure: published.failure } : { code: 'branch-taken', branch },
    );
  const pushed = await runIn(project, ['git', 'push', remote, `refs/heads/${branch}:refs/heads/${branch}`]);
  if (pushed.code !== 0) throw new Refused({ code: 'push-failed', remote, stderr: pushed.output.trim() });
  const opened = findProgram('gh') === undefined ? undefined : await runIn(project, push.create);
  return opened?.code === 0
    ? { type: 'opened', output: opened.output.trim(), ...push }
    : { type: 'pushed', output: opened?.output.trim(), ...push };
}

const bodyOf = ({ folded }: RunInGit): string =>
  [`Run ${folded.record.run}:`, '', ...whatLands(folded.state).done.map((task) => `- ${task}`)].join('\n');

export type Pushed =
  | { readonly type: 'pushed'; readonly remote: string; readonly branch: string }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Pushes a branch of the user's to its remote, as the user would. */
export async function pushBranch(project: Project, branch: string): Promise<Pushed> {
  try {
    const remote = await remoteFor(project, branch);
    const pushed = await runIn(project, ['git', 'push', remote, `refs/heads/${branch}:refs/heads/${branch}`]);
    if (pushed.code === 0) return { type: 'pushed', remote, branch };
    return { type: 'refused', refusal: { code: 'push-failed', remote, stderr: pushed.output.trim() } };
  } catch (cause) {
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    throw cause;
  }
}

/** The remote that the target is pulled from, else the only one. */
async function remoteFor(project: Project, target: string): Promise<string> {
  const ofTarget = await runIn(project, ['git', 'config', `branch.${target}.remote`]);
  const configured = ofTarget.output.trim();
  if (ofTarget.code === 0 && configured !== '' && configured !== '.') return configured;
  const remotes = (await runIn(project, ['git', 'remote'])).output.split('\n').filter((line) => line !== '');
  const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  if (remote !== undefined) return remote;
  throw new Refused(remotes.length === 0 ? { code: 'no-remote' } : { code: 'several-remotes', target, remotes });
}

interface Ran {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

/** A person may have to find a password first. */
const PERSON_WAITS_MS = 3_600_000;

/** As the user would, with their settings, their hooks and their terminal to type a password. */
async function runIn({ root }: Project, argv: readonly string[]): Promise<Ran> {
  const options = { cwd: root, input: { type: 'inherit' }, timeoutMs: PERSON_WAITS_MS } as const;
  const { end, stdout, stderr } = await capture(argv, options);
  const output = `${stdout.toString('utf8')}${stderr.toString('utf8')}`;
  if (end.type === 'unstarted') return { code: 127, output: end.message };
  return { code: end.type === 'exited' ? end.code : 1, output };
}
