// From a path to a parsed plan: reads the file, the settings files around it and the schemas it refers to.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, isAbsolute, relative, resolve } from 'node:path';
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import { parsePlan, type Parsed } from '../../core/plan/build/parse.ts';
import type { Json, Plan } from '../../core/plan/plan.ts';
import { schemaRefs } from '../../core/plan/source/schema-refs.ts';
import type { Layers, SettingsText } from '../../core/plan/settings/setting-layers.ts';
import { priceTableIn, unknownPrices, type UnknownPrice } from '../../core/plan/settings/model-prices.ts';
import { findProject, foldersUpwards, type Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { isThere, readText, readTextIfThere } from './read-file.ts';
import { commandLineLayer, type SettingsFlags } from './settings-flags.ts';
import { homedir } from 'node:os';

export interface LoadedPlan extends Parsed {
  readonly file: string;
  readonly text: string;
  /** Texts by the file names that diagnostics use. */
  readonly texts: ReadonlyMap<string, string>;
  /** Agents whose turns have no known cost, where a budget is in dollars. */
  readonly unpriced: readonly UnknownPrice[];
}

/** The default names of a plan file; the first that exists. */
export const PLAN_NAMES: readonly string[] = ['plan.yaml', 'plan.yml', 'heddle.yaml', 'heddle.yml'];

/** A plan that is to run also needs price tables that can be read. */
export const loadPlanToRun = (
  named: string | undefined,
  flags: SettingsFlags,
  project: Project = findProject(),
): LoadedPlan => load(named, flags, readPriceFiles(project));

export const loadPlan = (named: string | undefined, flags: SettingsFlags): LoadedPlan => load(named, flags, []);

export const readPriceFiles = (project: Project = findProject()): readonly SettingsText[] =>
  priceFiles(project).flatMap((file) => settingsAt(file) ?? []);

/** A plan that was not read from a file; settings and schemas are those beside `file`. */
export const loadPlanText = (text: string, file: string, project: Project, flags: SettingsFlags = {}): LoadedPlan =>
  loadText({ file, text, flags, prices: readPriceFiles(project) });

/** A plan of a project as a program names it: by its text, by a file below the project's folder, or by its usual name. */
export interface NamedPlan {
  readonly text: string | undefined;
  /** From the project's folder. */
  readonly file: string | undefined;
}

export function loadNamedPlan({ text, file }: NamedPlan, project: Project, flags: SettingsFlags = {}): LoadedPlan {
  const named = shorter(file === undefined ? usualPlan(project.root, text) : fileBelow(project, file));
  return loadPlanText(text ?? readText(named), named, project, flags);
}

/** Links are followed first: a plan is printed back, so it must not be a file from elsewhere. */
export function fileBelow({ root }: Project, file: string): string {
  const path = resolve(root, file);
  const isThere = existsSync(path);
  const inside = relative(realpathSync(root), isThere ? realpathSync(path) : path);
  if (inside.startsWith('..') || isAbsolute(inside)) throw new Refused({ code: 'outside-project', file, folder: root });
  return path;
}

/** A text that is in no file has its settings and schemas beside the place where a plan usually is. */
function usualPlan(root: string, text: string | undefined): string {
  const found = PLAN_NAMES.map((name) => join(root, name)).find((file) => existsSync(file));
  if (found === undefined && text === undefined) throw new Refused({ code: 'no-plan', names: PLAN_NAMES });
  return text === undefined && found !== undefined ? found : join(root, PLAN_NAMES[0] ?? '');
}

function load(named: string | undefined, flags: SettingsFlags, prices: readonly SettingsText[]): LoadedPlan {
  const file = namedOrUsual(named);
  return loadText({ file, text: readText(file), flags, prices });
}

interface TextToLoad {
  readonly file: string;
  readonly text: string;
  readonly flags: SettingsFlags;
  readonly prices: readonly SettingsText[];
}

function loadText({ file, text, flags, prices }: TextToLoad): LoadedPlan {
  const project = settingsAt(projectFile(file));
  const user = settingsAt(userFile());
  const parsed = parsePlan(text, {
    file,
    layers: { project, user, commandLine: commandLineLayer(flags) },
    schemas: readSchemas(text, file === '-' ? '.' : dirname(file)),
    prices,
  });
  const texts = new Map([
    [file, text],
    ...[project, user, ...prices].flatMap((layer): [string, string][] =>
      layer === undefined ? [] : [[layer.file, layer.text]],
    ),
  ]);
  const unpriced = parsed.plan === undefined ? [] : unknownPrices(parsed.plan, prices.flatMap(priceTableIn));
  return { ...parsed, file, text, texts, unpriced };
}

/** The plan of a load that found nothing worse than warnings. */
export function planOf(loaded: LoadedPlan): Plan | undefined {
  return hasErrors(loaded.diagnostics) ? undefined : loaded.plan;
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

/** The plan file that is named, else the first of the usual names that is there. */
export const namedOrUsual = (named: string | undefined): string => named ?? findPlan();

function findPlan(): string {
  const found = PLAN_NAMES.find(isThere);
  if (found === undefined) throw new Refused({ code: 'no-plan', names: PLAN_NAMES });
  return found;
}

export function settingsAt(file: string | undefined): SettingsText | undefined {
  const text = file === undefined ? undefined : readTextIfThere(file);
  return file === undefined || text === undefined ? undefined : { file, text };
}

/** The settings files that apply to a plan. */
export const settingsLayers = (file: string): Layers => ({
  project: settingsAt(projectFile(file)),
  user: settingsAt(userFile()),
});

/** Whether settings name an agent, so that a plan need not. */
export function hasAgent(layers: Layers): boolean {
  const { plan } = parsePlan('heddle: 1\ntasks: { a: { run: make } }\n', { file: 'plan.yaml', layers });
  return plan?.settings.agent !== undefined;
}

/** Schemas are read beside the plan; an unreadable schema stays undefined, and the plan's reader reports it. */
function readSchemas(text: string, folder: string): ReadonlyMap<string, Json | undefined> {
  // Most plans refer to none, and looking for them means reading the text once more.
  const refs = text.includes('$ref') ? schemaRefs(text) : [];
  return new Map(refs.map((ref) => [ref, readSchema(join(folder, ref))]));
}

function readSchema(file: string): Json | undefined {
  try {
    return JSON.parse(readText(file));
  } catch {
    return undefined;
  }
}

const PROJECT_FILE = join('.heddle', 'config.yaml');

/** The project of the plan, else of the current folder, as with `-`; a plan may lie in a folder of its own. */
function projectFile(plan: string): string | undefined {
  const found = (plan === '-' ? undefined : findUpwards(dirname(resolve(plan)))) ?? findUpwards(process.cwd());
  return found === undefined ? undefined : shorter(found);
}

/** An empty or relative XDG_CONFIG_HOME counts as none, as its specification asks. */
const userFile = (): string => join(userFolder(), 'config.yaml');

function userFolder(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'heddle');
}

const PRICES_FILE = 'prices.json';

/** The price tables of agent turns, the project's first. */
const priceFiles = ({ home }: Project): readonly string[] => [
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

function shorter(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere.length < file.length ? fromHere : file;
}
