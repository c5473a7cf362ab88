// How long 32 sandboxes take to be made and removed, and the tree of a merged commit to be checked out, beside raw git doing
// the same with `git worktree add`; and what all of git costs in a run of 32 tasks.
import { join } from 'node:path';
import { openRepository } from '../../src/shell/git/repository.ts';
import type { SandboxSettings } from '../../src/shell/sandbox/tree/sandbox-context.ts';
import { openSandboxes, type Sandboxes } from '../../src/shell/sandbox/sandboxes.ts';
import type { Sandbox } from '../../src/shell/sandbox/sandbox.ts';
import { median, timed, times, under } from './print-figures.ts';
import type { Bound, Figure } from './print-figures.ts';
import { generatedProject, git, givenProject, removeProject } from './sample-project.ts';
import type { Project } from './sample-project.ts';
import { ourRun, rawRun } from './whole.ts';
import type { OpenIntegration } from './whole.ts';

export interface SandboxBenchOptions {
  /** A repository to measure on, in addition to the generated ones. */
  readonly repository: string | undefined;
  readonly files: number;
  /** Number of parallel sandboxes. */
  readonly count: number;
}

export const SANDBOX_FLAGS = {
  repository: { type: 'string' },
  files: { type: 'string' },
  count: { type: 'string' },
} as const;

type Flags = Readonly<Partial<Record<keyof typeof SANDBOX_FLAGS, string | undefined>>>;

const DEFAULTS = { files: 25_000, count: 32 } as const;
const SMALL = 200;
const CANDIDATES = 9;
const MAKES = 5;
const AT = Date.UTC(2026, 0, 1);

export const sandboxOptions = ({ repository, files, count }: Flags): SandboxBenchOptions => ({
  repository,
  files: Number(files ?? DEFAULTS.files),
  count: Number(count ?? DEFAULTS.count),
});

export async function benchSandboxes({ repository, files, count }: SandboxBenchOptions): Promise<readonly Figure[]> {
  const projects = [
    { make: () => generatedProject(SMALL), bounds: SMALL_BOUNDS },
    { make: () => (repository === undefined ? generatedProject(files) : givenProject(repository)), bounds: BOUNDS },
  ];
  const figures: Figure[] = [];
  for (const { make, bounds } of projects) {
    const project = make();
    try {
      const some = await measureProject(project, { count, bounds });
      figures.push(...some);
    } finally {
      await removeProject(project);
    }
  }
  return figures;
}

/** Of a large repository, and of one of 200 files, where raw git has little to do. */
interface Bounds {
  readonly make: Bound;
  readonly candidate: Bound;
  readonly whole: Bound;
}

const BOUNDS: Bounds = { make: times(300), candidate: under(60), whole: times(20) };
const SMALL_BOUNDS: Bounds = { make: times(1), candidate: { type: 'none' }, whole: times(1) };

interface Measuring {
  readonly count: number;
  readonly bounds: Bounds;
}

async function measureProject(project: Project, { count, bounds }: Measuring): Promise<readonly Figure[]> {
  const overlay = await measure(project, 'overlay', count);
  const checkout = await measure(project, 'checkout', count);
  const raw = measureRaw(project, count);
  const whole = await measureWhole(project, count);
  const { name } = project;
  const reference = { make: raw.makeMs, remove: raw.removeMs, candidate: raw.candidateMs, first: raw.makeMs / count };
  const rows: readonly Row[] = [
    [`${count} made, overlay`, overlay?.makeMs, reference.make, bounds.make],
    [`${count} made, checkout`, checkout?.makeMs, reference.make, times(1)],
    [`${count} removed, overlay`, overlay?.removeMs, reference.remove, times(1)],
    [`${count} removed, checkout`, checkout?.removeMs, reference.remove, { type: 'none' }],
    ['candidate tree, overlay', overlay?.candidateMs, reference.candidate, bounds.candidate],
    ['candidate tree, checkout', checkout?.candidateMs, reference.candidate, { type: 'none' }],
    ['the first, with its template', overlay?.templateMs, reference.first, { type: 'none' }],
    [`all of git in a run of ${count} tasks`, whole.oursMs, whole.rawMs, bounds.whole],
  ];
  return rows.flatMap(([what, oursMs, referenceMs, bound]) =>
    oursMs === undefined ? [] : [{ what: `${name}: ${what}`, oursMs, referenceMs, bound }],
  );
}

type Row = readonly [what: string, oursMs: number | undefined, referenceMs: number, bound: Bound];

interface Measured {
  /** Made once for all, before the first sandbox. */
  readonly templateMs: number;
  readonly makeMs: number;
  readonly removeMs: number;
  /** The median of several, on a commit that differs in ten files. */
  readonly candidateMs: number;
}

/** Undefined where such trees do not work. */
async function measure(project: Project, tree: SandboxSettings['tree'], count: number): Promise<Measured | undefined> {
  const integration = await openIntegration(project, tree);
  if (integration === undefined) return undefined;
  const { sandboxes } = integration;
  const first = await timed(async () => destroyAll([await open(sandboxes, project, 'first')]));
  const makes: number[] = [];
  const removes: number[] = [];
  for (let round = 0; round < (tree === 'overlay' ? MAKES : 1); round += 1) {
    const names = Array.from({ length: count }, (_, index) => `t${round}-${index}`);
    const made = await timed(() => Promise.all(names.map((name) => open(sandboxes, project, name))));
    makes.push(made.ms);
    removes.push((await timed(() => destroyAll(made.value))).ms);
  }
  const candidateMs = await medianCandidate(sandboxes, project);
  const measured = { templateMs: first.ms, makeMs: median(makes), removeMs: median(removes), candidateMs };
  console.error(`${project.name}, ${sandboxes.kind}: ${JSON.stringify(measured)}`);
  return measured;
}

async function openIntegration(project: Project, tree: SandboxSettings['tree']): Promise<OpenIntegration | undefined> {
  const home = join(project.root, `heddle-${tree}`);
  const opened = await openRepository({ home, project: project.folder, repairs: true });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  const { repository } = opened;
  const sandboxes = await openSandboxes({
    home,
    repository,
    settings: {
      include: [],
      setup: undefined,
      link: [],
      ports: 0,
      tree,
      isolation: 'none',
      network: undefined,
      limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
    },
    isolation: { name: 'none', wrap: (argv) => argv },
    network: 'none',
    agent: undefined,
    probe: undefined,
  });
  return sandboxes.type === 'opened' ? { repository, sandboxes: sandboxes.sandboxes } : undefined;
}

async function open(sandboxes: Sandboxes, { base }: Project, task: string): Promise<Sandbox> {
  const opened = await sandboxes.open({ run: 'bench', task, base, from: undefined, at: AT });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.sandbox;
}

async function destroyAll(made: readonly Pick<Sandbox, 'destroy'>[]): Promise<void> {
  const ends = await Promise.all(made.map((one) => one.destroy()));
  const bad = ends.find(({ type }) => type !== 'destroyed');
  if (bad !== undefined) throw new Error(JSON.stringify(bad));
}

async function medianCandidate(sandboxes: Sandboxes, { next }: Project): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < CANDIDATES; round += 1) {
    const { ms, value } = await timed(() => sandboxes.candidate({ commit: next, name: 'candidate' }));
    all.push(ms);
    if (value.type === 'failed') throw new Error(value.failure.code);
    await destroyAll([value.candidate]);
  }
  return median(all);
}

/** One after the other, because git fails when several are added in parallel. */
function measureRaw({ name, root, folder, base, next }: Project, count: number): Omit<Measured, 'templateMs'> {
  const paths = Array.from({ length: count }, (_, index) => join(root, `worktree${index}`));
  const begin = performance.now();
  for (const path of paths) git(folder, 'worktree', 'add', '-q', '--detach', path, base);
  const made = performance.now();
  const [first = ''] = paths;
  git(first, 'checkout', '-q', next);
  const moved = performance.now();
  for (const path of paths) git(folder, 'worktree', 'remove', '--force', path);
  const measured = { makeMs: made - begin, removeMs: performance.now() - moved, candidateMs: moved - made };
  console.error(`${name}, git worktree add: ${JSON.stringify(measured)}`);
  return measured;
}

async function measureWhole(
  project: Project,
  count: number,
): Promise<{ readonly oursMs: number; readonly rawMs: number }> {
  const integration = await openIntegration(project, 'auto');
  if (integration === undefined) throw new Error('some tree always works');
  // The template is there in all runs but the first.
  await destroyAll([await open(integration.sandboxes, project, 'first')]);
  const oursMs = await ourRun(integration, project, count);
  const rawMs = await rawRun(project, count);
  console.error(`${project.name}, a run of ${count} tasks: ${oursMs.toFixed(0)} ms, raw git ${rawMs.toFixed(0)} ms`);
  return { oursMs, rawMs };
}
