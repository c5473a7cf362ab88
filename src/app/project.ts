// The location of a project and of Heddle's folder in it, and whether the folder may be used.
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refused } from './refused.ts';
import { makeOwnersFolder } from '../shell/exec/owners-folder.ts';
import { captureNow } from '../shell/exec/capture-now.ts';
import { TAGS, tagsAbove, tagsIn, type StepTags } from '../shell/exec/tagged-processes.ts';

export interface Project {
  /** Where steps work when they have no sandbox of their own. */
  readonly root: string;
  /** The folder of the store and of the workers' files. */
  readonly home: string;
}

const HOME = '.heddle';

/**
 * The nearest folder upwards that has a store or is a repository's; else the current one. In a sandbox it is the
 * project that the sandbox belongs to.
 */
export function findProject(from: string = process.cwd()): Project {
  const folders = foldersUpwards(resolve(from));
  const inside = folders.findLast((folder) => basename(folder) === HOME);
  const outside = inside === undefined ? folders : foldersUpwards(dirname(inside));
  const root =
    outside.find((folder) => existsSync(join(folder, HOME)) || existsSync(join(folder, '.git'))) ?? resolve(from);
  return { root, home: join(root, HOME) };
}

/** A folder and all above it, the nearest first. */
export function foldersUpwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}

/** Before anything is looked for in it. */
export function mustHaveRoom({ home }: Project): void {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Refused({ code: 'home-not-a-folder', home });
}

/** The folder of the store, before there is a store in it. */
export function makeHome(project: Project): void {
  mustHaveRoom(project);
  mustBeWritable(project);
  makeOwnersFolder(project.home);
  excludeFromGit(project);
}

/** Refused at once on a read-only file system; other obstacles are reported by the part that meets them. */
export function mustBeWritable({ root, home }: Project): void {
  const folder = existsSync(home) ? home : root;
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EROFS')
      throw new Refused({ code: 'read-only-disk', folder }, { cause });
  }
}

/** A team shares `config.yaml` in it with one `git add -f`; git continues to track a file that it already tracks. */
const EXCLUDED = '/.heddle/';

/**
 * Excludes the store from git through the repository's own exclude file, which is never committed. A failure of git is
 * harmless: the store then shows up as untracked.
 */
export function excludeFromGit({ root }: Project): void {
  if (!existsSync(join(root, '.git'))) return;
  try {
    const { code, stdout } = captureNow(['git', 'rev-parse', '--git-path', 'info/exclude'], { cwd: root });
    if (code !== 0) return;
    const file = resolve(root, stdout.trim());
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.split('\n').includes(EXCLUDED)) return;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${EXCLUDED}\n`);
  } catch {
    return;
  }
}

/** The step of a run that this process works for, by its own environment. Undefined outside of every run. */
export const ownStep = (): StepTags | undefined => tagsIn((name) => process.env[name]);

/**
 * A step may not start a run: a plan could then start itself for ever, each time with more agents. Nor may a step stop,
 * skip or answer anything: an agent that approves its own gate has no gate. An emptied environment opens other projects
 * alone, such as those of the tests of a program.
 */
export function mustNotBeNested(project: Project = findProject()): void {
  const own = ownStep();
  if (own !== undefined) throw nested(own);
  const above = tagsAbove();
  if (above !== undefined && isHomeOf(project, above.home)) throw nested(above);
}

const isHomeOf = ({ home }: Project, tagged: string | undefined): boolean =>
  tagged === undefined || realPathOf(tagged) === realPathOf(home);

/** A folder that is not there has no other name. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

export const nested = ({ run, task, step: id }: Pick<StepTags, 'run' | 'task' | 'step'>): Refused => {
  const step = [task, id].filter((part) => part !== undefined).join('/');
  return new Refused({ code: 'nested', run, step, variable: TAGS.run });
};

/**
 * The same, also where an agent of the step has started this process without its environment, as many do with the servers
 * that they talk to.
 */
export const stepAround = (): StepTags | undefined => ownStep() ?? tagsAbove();
