// Where the settings files of the project and of the user are.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Project } from '../project.ts';

const PROJECT_FILE = join('.heddle', 'config.yaml');

/** The project of the plan, else of the current folder, as with `-`; a plan may lie in a folder of its own. */
export function projectFile(plan: string): string | undefined {
  const found = (plan === '-' ? undefined : findUpwards(dirname(resolve(plan)))) ?? findUpwards(process.cwd());
  return found === undefined ? undefined : shorter(found);
}

/** An empty or relative XDG_CONFIG_HOME counts as none, as its specification asks. */
export const userFile = (): string => join(userFolder(), 'config.yaml');

function userFolder(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'heddle');
}

const PRICES_FILE = 'prices.json';

/** The price tables of agent turns, the project's first. */
export const priceFiles = ({ home }: Project): readonly string[] => [
  shorter(join(home, PRICES_FILE)),
  join(userFolder(), PRICES_FILE),
];

/** Outside a repository nothing marks where a project ends, so only the folder itself is looked at. */
function findUpwards(folder: string): string | undefined {
  const folders = foldersUpwards(folder);
  const root = folders.findIndex((each) => existsSync(join(each, '.git')));
  return folders
    .slice(0, root < 0 ? 1 : root + 1)
    .map((each) => join(each, PROJECT_FILE))
    .find((file) => existsSync(file));
}

function foldersUpwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}

function shorter(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere.length < file.length ? fromHere : file;
}
