// How long 32 sandboxes take to be made and removed, and the tree of a merged commit to be laid out, beside raw git doing
// the same with `git worktree add`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRepository } from '../../src/shell/git/repository.ts';
import type { SandboxSettings } from '../../src/shell/sandbox/ground.ts';
import { openSandboxes, type Sandboxes } from '../../src/shell/sandbox/sandboxes.ts';
import { unmountAll } from '../../src/shell/sandbox/world/mounts.ts';

export interface SandboxFigure {
  readonly files: number;
  readonly way: string;
  readonly sandboxes: number;
  /** Made once for all, before the first sandbox. */
  readonly templateMs: number;
  readonly makeMs: number;
  readonly removeMs: number;
  /** The median of several, on a commit that differs in ten files. */
  readonly candidateMs: number;
}

export interface SandboxFigures {
  readonly raw: readonly SandboxFigure[];
  readonly ours: readonly SandboxFigure[];
}

const SIZES = [200, 25_000] as const;
const COUNT = 32;
const CANDIDATES = 9;
const AT = Date.UTC(2026, 0, 1);

export async function benchSandboxes(): Promise<SandboxFigures> {
  const raw: SandboxFigure[] = [];
  const ours: SandboxFigure[] = [];
  for (const files of SIZES) {
    const project = makeProject(files);
    try {
      for (const tree of ['overlay', 'checkout'] as const) {
        const figure = await measure(project, tree);
        if (figure !== undefined) ours.push(figure);
        if (figure !== undefined) console.error(inWords(figure));
      }
      const figure = measureRaw(project);
      raw.push(figure);
      console.error(inWords(figure));
    } finally {
      await unmountAll(project.root);
      rmSync(project.root, { recursive: true, force: true });
    }
  }
  return { raw, ours };
}

/** As soon as it is known, because the next may take minutes. */
const inWords = ({ files, way, makeMs, removeMs, candidateMs }: SandboxFigure): string =>
  `${files} files, ${way}: ${COUNT} made in ${makeMs.toFixed(0)} ms, removed in ${removeMs.toFixed(0)} ms; a candidate in ${candidateMs.toFixed(0)} ms`;

interface Project {
  readonly root: string;
  readonly folder: string;
  readonly files: number;
  readonly base: string;
  /** Differs from the base in ten files. */
  readonly next: string;
}

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'gc.auto=0', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** Two files to a folder, as large repositories have them. */
const fileName = (index: number): string =>
  join('packages', `p${index % 100}`, 'src', `m${Math.floor(index / 2)}`, `file${index}.ts`);

function makeProject(files: number): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bench-sandbox-')));
  const folder = join(root, 'project');
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  for (let index = 0; index < files; index += 1) {
    const file = join(folder, fileName(index));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `// ${index}\n${'export const value = 1;\n'.repeat(5 + (index % 100))}`);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  git(folder, 'repack', '-adq');
  const base = git(folder, 'rev-parse', 'HEAD');
  for (let index = 0; index < 10; index += 1) writeFileSync(join(folder, fileName(index * 7)), `// changed ${index}\n`);
  rmSync(join(folder, fileName(3)));
  git(folder, 'commit', '-qam', 'next');
  return { root, folder, files, base, next: git(folder, 'rev-parse', 'HEAD') };
}

async function measure(project: Project, tree: SandboxSettings['tree']): Promise<SandboxFigure | undefined> {
  const sandboxes = await openFor(project, tree);
  if (sandboxes === undefined) return undefined;
  const templateMs = await timed(async () => destroyAll([await open(sandboxes, project, 'first')]));
  const made: Made[] = [];
  const makeMs = await timed(async () => {
    const names = Array.from({ length: COUNT }, (_, index) => `t${index}`);
    made.push(...(await Promise.all(names.map((name) => open(sandboxes, project, name)))));
  });
  const removeMs = await timed(() => destroyAll(made));
  const candidateMs = await medianCandidate(sandboxes, project);
  return { files: project.files, way: sandboxes.kind, sandboxes: COUNT, templateMs, makeMs, removeMs, candidateMs };
}

async function openFor(project: Project, tree: SandboxSettings['tree']): Promise<Sandboxes | undefined> {
  const home = join(project.folder, `.heddle-${tree}`);
  const opened = await openRepository({ home, project: project.folder, mends: true });
  if (opened.type === 'refused') throw new Error(opened.message);
  const sandboxes = await openSandboxes({
    home,
    repository: opened.repository,
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
    probe: undefined,
  });
  return sandboxes.type === 'opened' ? sandboxes.sandboxes : undefined;
}

interface Made {
  readonly destroy: () => Promise<{ readonly type: string }>;
}

async function open(sandboxes: Sandboxes, { base }: Project, task: string): Promise<Made> {
  const opened = await sandboxes.open({ run: 'bench', task, base, from: undefined, at: AT });
  if (opened.type === 'failed') throw new Error(opened.message);
  return opened.sandbox;
}

async function destroyAll(made: readonly Made[]): Promise<void> {
  const ends = await Promise.all(made.map((one) => one.destroy()));
  const bad = ends.find(({ type }) => type !== 'destroyed');
  if (bad !== undefined) throw new Error(JSON.stringify(bad));
}

async function medianCandidate(sandboxes: Sandboxes, { next }: Project): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < CANDIDATES; round += 1) {
    const begin = performance.now();
    const opened = await sandboxes.candidate({ commit: next, name: 'candidate' });
    times.push(performance.now() - begin);
    if (opened.type === 'failed') throw new Error(opened.message);
    await destroyAll([opened.candidate]);
  }
  return median(times);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function timed(deed: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await deed();
  return performance.now() - begin;
}

/** One after the other, because git fails when several are added at once. */
function measureRaw({ root, folder, files, base, next }: Project): SandboxFigure {
  const paths = Array.from({ length: COUNT }, (_, index) => join(root, `worktree${index}`));
  const begin = performance.now();
  for (const path of paths) git(folder, 'worktree', 'add', '-q', '--detach', path, base);
  const made = performance.now();
  const [first = ''] = paths;
  git(first, 'checkout', '-q', next);
  const moved = performance.now();
  for (const path of paths) git(folder, 'worktree', 'remove', '--force', path);
  return {
    files,
    way: 'git worktree add',
    sandboxes: COUNT,
    templateMs: 0,
    makeMs: made - begin,
    removeMs: performance.now() - moved,
    candidateMs: moved - made,
  };
}

export function printSandboxes({ raw, ours }: SandboxFigures): void {
  console.log('\n## Sandboxes\n');
  console.log('| files | way | first, with template | 32 made | times raw git | 32 removed | candidate tree |');
  console.log('|---|---|---|---|---|---|---|');
  for (const figure of [...raw, ...ours].toSorted((one, other) => one.files - other.files)) {
    const reference = raw.find(({ files }) => files === figure.files)?.makeMs ?? figure.makeMs;
    const times = (reference / figure.makeMs).toFixed(1);
    const cells = [figure.templateMs, figure.makeMs, figure.removeMs, figure.candidateMs].map(
      (ms) => `${ms.toFixed(0)} ms`,
    );
    const [template = '', make = '', remove = '', candidate = ''] = cells;
    console.log(`| ${[figure.files, figure.way, template, make, times, remove, candidate].join(' | ')} |`);
  }
}
