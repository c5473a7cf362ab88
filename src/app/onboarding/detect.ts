// Which projects there are in a folder, and which commands of them a plan should use.
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { shellQuoted } from './calling.ts';
import {
  detectGo,
  detectRust,
  detectDotnet,
  detectKnown,
  detectPhp,
  detectRuby,
  detectTargets,
} from './other-languages.ts';
import { folderView, namesInFolder, type FolderView, type ToolCommand, type Toolchain } from './toolchain.ts';
import { detectDeno, detectNode } from './node.ts';
import { detectPython } from './python.ts';

export interface Detected {
  readonly projects: readonly DetectedProject[];
  /** Further projects, in folders that their commands may not reach. */
  readonly others: readonly DetectedProject[];
  readonly check: ToolCommand | undefined;
  readonly setup: ToolCommand | undefined;
  readonly link: readonly string[];
  readonly hosts: readonly string[];
  /** Settings of the environment that git does not know, so that no sandbox would have them. */
  readonly include: readonly string[];
  /** The packages of a workspace, and the check of the first of them alone. */
  readonly packages: readonly string[];
  readonly packageCheck: string | undefined;
  /** There is nothing to read yet. */
  readonly isEmpty: boolean;
}

export interface DetectedProject extends Toolchain {
  /** From the root; empty for the root itself. */
  readonly folder: string;
}

const DETECTORS = [detectNode, detectDeno, detectPython, detectRust, detectGo, detectRuby, detectPhp, detectDotnet];

export function detect(root: string): Detected {
  const look = folderView(root);
  const atRoot = projectsIn(look, '');
  const below = projectsBelow(root);
  const projects = atRoot.length > 0 ? atRoot : below;
  const packages = projects.flatMap(({ folder, packages: members }) => members.map((path) => join(folder, path)));
  const isReached = ({ folder, tool }: DetectedProject): boolean =>
    packages.includes(folder) || atRoot.some((each) => each.tool === tool);
  return {
    projects,
    others: atRoot.length > 0 ? below.filter((project) => !isReached(project)) : [],
    check: checkOf(projects, detectTargets(look)),
    setup: joined(projects, ({ setup }) => setup),
    link: projects.flatMap(({ folder, link }) => link.map((path) => join(folder, path))),
    hosts: [...new Set(projects.flatMap(({ hosts }) => hosts))],
    include: environmentFiles(root, ['', ...projects.map(({ folder }) => folder), ...packages]),
    packages,
    packageCheck: projects.find(({ folder }) => folder === '')?.packageCheck,
    isEmpty: namesInFolder(root).every((name) => OURS.has(name)),
  };
}

const OURS = new Set(['.git', '.heddle', 'plan.yaml', '.gitignore', '.gitattributes']);

const ENVIRONMENT_FILE = /^\.env(?:\.(?!example|sample|template|dist|defaults?|schema)[\w.-]+)?$/;

/** A `.worktreeinclude` names them already. */
function environmentFiles(root: string, folders: readonly string[]): readonly string[] {
  if (!existsSync(join(root, '.git')) || existsSync(join(root, '.worktreeinclude'))) return [];
  const found = [...new Set(folders)].flatMap((folder) =>
    namesInFolder(join(root, folder))
      .filter((name) => ENVIRONMENT_FILE.test(name))
      .map((name) => join(folder, name)),
  );
  if (found.length === 0) return [];
  const { stdout } = captureNow(['git', 'ls-files', '-z', '--', ...found], { cwd: root });
  const tracked = new Set(stdout.split('\0'));
  return found.filter((path) => !tracked.has(path));
}

function projectsIn(look: FolderView, folder: string): readonly DetectedProject[] {
  const found = [...DETECTORS.flatMap((detector) => detector(look) ?? []), ...detectKnown(look)];
  return found.map((toolchain) => ({ ...toolchain, folder }));
}

const DEPTH_MAX = 2;
const PROJECTS_MAX = 12;
const FOLDERS_MAX = 500;

/** Folders of generated files, dependencies or test data. */
const PASSED_OVER =
  /^(\.|node_modules$|vendor$|target$|dist$|build$|out$|examples?$|fixtures?$|tests?$|testdata$|docs?$)/;
/** A name that a shell or a template would take for something else is not worth the quotes. */
const PLAIN = /^[\w.+@-]+$/;

function projectsBelow(root: string): readonly DetectedProject[] {
  let left = FOLDERS_MAX;
  const search = (folder: string, depth: number): readonly DetectedProject[] =>
    namesInFolder(join(root, folder)).flatMap((name) => {
      const path = join(folder, name);
      left -= 1;
      if (left < 0 || PASSED_OVER.test(name) || !PLAIN.test(name) || !isFolder(join(root, path))) return [];
      const found = projectsIn(folderView(join(root, path)), path);
      return found.length > 0 || depth === DEPTH_MAX ? found : search(path, depth + 1);
    });
  return search('', 1).slice(0, PROJECTS_MAX);
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** One language knows its tests best; of several, or of none, a file of targets does. */
function checkOf(projects: readonly DetectedProject[], targets: Toolchain | undefined): ToolCommand | undefined {
  const judging = projects.filter(({ check }) => check !== undefined);
  if (targets?.check !== undefined && judging.length !== 1) return targets.check;
  return joined(projects, ({ check }) => check);
}

function joined(
  projects: readonly DetectedProject[],
  commandOf: (project: DetectedProject) => ToolCommand | undefined,
): ToolCommand | undefined {
  const found = projects.flatMap((project) => {
    const command = commandOf(project);
    return command === undefined ? [] : [{ folder: project.folder, command }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const isOne = found.length === 1;
  return {
    run: found.map(({ folder, command }) => inFolder(folder, command.run, isOne)).join(' && '),
    because: isOne ? first.command.because : found.map(({ command }) => command.because).join('; '),
  };
}

function inFolder(folder: string, run: string, isOne: boolean): string {
  if (folder === '') return run;
  const there = `cd ${shellQuoted(folder)} && ${run}`;
  return isOne ? there : `(${there})`;
}
