// Lands a run from the dashboard: shows what would land, and lands exactly that or nothing.
import { capture } from '../../shell/exec/capture.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { landInGit } from '../git/land-in-git.ts';
import type { LandOutcome, Preview } from '../git/land-run.ts';
import { openRunInGit, type RunInGit } from '../git/open-run.ts';
import { mustBeWhole } from '../git/what-to-land.ts';
import type { OpenProject } from '../open-project.ts';

export type LandPreview =
  | {
      readonly type: 'ready';
      readonly preview: Preview;
      /** `git diff --stat` between the target and what would land. */
      readonly stat: string;
      /** Names exactly this landing. The commit itself differs with its time. */
      readonly expects: string;
    }
  | Exclude<LandOutcome, { type: 'ready' }>;

export async function previewLand(open: OpenProject, record: RunRecord): Promise<LandPreview> {
  const inGit = await openWhole(open, record);
  const outcome = await landInGit(open.project, inGit, { ...AS_PLANNED, isDry: true, confirm: no });
  if (outcome.type !== 'ready') return outcome;
  const { preview } = outcome;
  const expects = await nameOf(inGit, preview);
  return { type: 'ready', preview, expects, stat: await statOf(open, inGit, preview) };
}

export type LandSent = LandOutcome | { readonly type: 'outdated' };

/** Checks run first where the target has moved, which may take as long as they do. */
export async function landAsShown(open: OpenProject, record: RunRecord, expects: string): Promise<LandSent> {
  const inGit = await openWhole(open, record);
  const outcome = await landInGit(open.project, inGit, {
    ...AS_PLANNED,
    isDry: false,
    confirm: async (preview) => (await nameOf(inGit, preview)) === expects,
  });
  return outcome.type === 'declined' ? { type: 'outdated' } : outcome;
}

const AS_PLANNED = { onto: undefined, how: 'auto' } as const;
const no = (): Promise<boolean> => Promise.resolve(false);

async function openWhole(open: OpenProject, record: RunRecord): Promise<RunInGit> {
  const inGit = await openRunInGit(open, record);
  mustBeWhole(inGit);
  return inGit;
}

const nameOf = async ({ integration }: RunInGit, { target, from, commit }: Preview): Promise<string> =>
  `${target} ${from} ${await integration.repository.treeOf(commit)}`;

const STAT_MS_MAX = 60_000;
const STAT_BYTES_MAX = 1024 * 1024;

async function statOf({ project }: OpenProject, { integration }: RunInGit, { from, commit }: Preview): Promise<string> {
  const words = [
    'git',
    '--git-dir',
    integration.repository.gitDir,
    'diff',
    '--no-ext-diff',
    '--stat=120',
    from,
    commit,
  ];
  const { stdout } = await capture(words, {
    cwd: project.root,
    timeoutMs: STAT_MS_MAX,
    keptBytesMax: STAT_BYTES_MAX,
  });
  return stdout.toString('utf8');
}
