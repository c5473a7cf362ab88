import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { canAsk, confirmed } from '../terminal/ask.ts';
import { EXIT, type ExitCode, Failure } from '../terminal/exit-code.ts';
import { callingOf, quoted } from '../../app/onboarding/calling.ts';
import { chooseAgents, type ChosenAgents } from '../../app/onboarding/choose-agents.ts';
import { detect, type Detected, type Project } from '../../app/onboarding/detect.ts';
import { planText, settingsText } from '../../app/onboarding/propose.ts';
import { troubleWithRepository } from '../../app/onboarding/repository-here.ts';
import { PLAN_NAMES } from '../../app/plan/load-plan.ts';
import { findProject } from '../../app/project.ts';
import { aligned } from '../text/rows.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { agentsHere, type FoundAgent } from '../../app/agent-parts.ts';
import { hostsOfAgent } from '../../app/git-parts.ts';

export interface InitFlags {
  readonly yes: boolean;
  readonly json: boolean;
}

/** `heddle init`: looks at a repository, proposes settings and a first plan, and writes them when told to. */
export async function init(terminal: Terminal, named: string | undefined, flags: InitFlags): Promise<ExitCode> {
  const folder = resolve(named ?? '.');
  if (!existsSync(folder)) throw new Failure(`There is no folder ${folder}. Name one that is there.`);
  const { root } = findProject(folder);
  const found = await agentsHere();
  const chosen = chooseAgents(found);
  const detected = detect(root);
  const files = filesFor(root, { chosen, detected });
  const missing = files.filter(({ isThere }) => !isThere);
  const proposed: Proposed = { root, folder, found, chosen, detected, files };
  if (!flags.json) for (const line of findings(terminal, proposed)) terminal.out(line);
  const isMeant = missing.length > 0 && (await isWanted(terminal, missing, flags));
  if (isMeant) for (const file of missing) write(file);
  if (flags.json) terminal.out(JSON.stringify(asData(proposed, isMeant), undefined, 2));
  else for (const line of ending(terminal, proposed, isMeant)) terminal.out(line);
  return EXIT.done;
}

interface Proposed {
  readonly root: string;
  readonly folder: string;
  readonly found: readonly FoundAgent[];
  readonly chosen: ChosenAgents;
  readonly detected: Detected;
  readonly files: readonly ProposedFile[];
}

interface ProposedFile {
  readonly path: string;
  /** As it is shown, from the root. */
  readonly name: string;
  readonly text: string;
  /** Something of that name, or that stands for it, is there already and is kept. */
  readonly isThere: boolean;
}

const SETTINGS = join('.heddle', 'config.yaml');
const PLAN = 'plan.yaml';
const SCHEMA = join('node_modules', 'heddle', 'schema', 'plan.schema.json');

function filesFor(
  root: string,
  { chosen, detected }: { readonly chosen: ChosenAgents; readonly detected: Detected },
): readonly ProposedFile[] {
  const proposal = {
    agents: chosen.uses,
    detected,
    agentHosts: chosen.uses.flatMap(hostsOfAgent),
    name: nameFor(root),
    schema: existsSync(join(root, SCHEMA)) ? SCHEMA : undefined,
  };
  const plan = PLAN_NAMES.find((name) => existsSync(join(root, name)));
  const fileOf = (name: string, text: string, isThere: boolean): ProposedFile => ({
    path: join(root, name),
    name,
    text,
    isThere,
  });
  return [
    fileOf(SETTINGS, settingsText(proposal), existsSync(join(root, SETTINGS))),
    fileOf(plan ?? PLAN, planText(proposal), plan !== undefined),
  ];
}

/** The folder's own name, as far as a plan can have it. */
function nameFor(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, NAME_LENGTH_MAX);
  return name === '' ? 'first' : name;
}

const NAME_LENGTH_MAX = 40;

async function isWanted(terminal: Terminal, missing: readonly ProposedFile[], flags: InitFlags): Promise<boolean> {
  if (flags.yes) return true;
  if (flags.json || !canAsk(terminal)) return false;
  const what = missing.length === 1 ? 'this file' : `these ${missing.length} files`;
  return await confirmed(terminal, `Write ${what}?`, false);
}

/** Never over something that came to be there since it was looked for. */
function write({ path, text }: ProposedFile): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(`${path} could not be written: ${why}. Mend that and call heddle init again.`, { cause });
  }
}

function findings(terminal: Terminal, proposed: Proposed): readonly string[] {
  const { root, folder, found, detected, files } = proposed;
  const strong = (text: string): string => paint(terminal, 'strong', text);
  const where = folder === root ? [] : [`This folder belongs to the repository ${root}, so the files go there.`];
  return [
    strong(`Found in ${root}`),
    ...where,
    ...aligned([...agentRows(found), ...projectRows(detected), ...commandRows(detected)]),
    '',
    ...files.flatMap((file) =>
      file.isThere
        ? [`${strong(file.name)} is there already, and is kept as it is.`, '']
        : [`${strong(file.name)} would be:`, '', ...file.text.trimEnd().split('\n').map(indented), ''],
    ),
  ];
}

const indented = (line: string): string => (line === '' ? '' : `    ${line}`);

function agentRows(found: readonly FoundAgent[]): readonly (readonly string[])[] {
  const here = found.filter(({ path }) => path !== undefined);
  const names = here.map(({ use, version, login }) =>
    [use, version, login.type === 'none' ? '(no sign of a login)' : undefined]
      .filter((part) => part !== undefined)
      .join(' '),
  );
  return [['agents', names.length === 0 ? 'none of those that Heddle knows' : names.join(', ')]];
}

function projectRows({ projects, others }: Detected): readonly (readonly string[])[] {
  if (projects.length === 0) return [['project', 'nothing that says how it is built or tested']];
  const rowOf = (label: string, { tool, folder, evidence }: Project): readonly string[] => [
    label,
    `${tool} (${evidence.map((name) => join(folder, name)).join(', ')})`,
  ];
  return [
    ...projects.map((project, at) => rowOf(at === 0 ? 'project' : '', project)),
    ...others.map((project, at) => rowOf(at === 0 ? 'also' : '', project)),
  ];
}

const commandRows = ({ check, setup }: Detected): readonly (readonly string[])[] => [
  ['check', check?.run ?? 'no tests were found; name a command in .heddle/config.yaml'],
  ...(setup === undefined ? [] : [['set-up', setup.run]]),
];

function ending(
  terminal: Terminal,
  { root, chosen, detected, files }: Proposed,
  isWritten: boolean,
): readonly string[] {
  const { name } = callingOf(process.env, process.argv);
  const missing = files.filter(({ isThere }) => !isThere);
  const notes = [troubleWithRepository(root), chosen.trouble?.trim(), ...wordsOnSeveral(detected)];
  return [
    ...outcome(missing, { name, isWritten }),
    ...notes.flatMap((says) => (says === undefined ? [] : [`${paint(terminal, 'warn', 'note')}: ${says}`])),
    ...(isWritten || missing.length === 0 ? next(root, name) : []),
  ];
}

function wordsOnSeveral({ projects, others }: Detected): readonly string[] {
  const left = others.map(({ folder }) => folder);
  return [
    ...(projects.length > 1
      ? [
          `There are ${projects.length} projects here, so one check and one set-up serve all; tasks may have narrower ones.`,
        ]
      : []),
    ...(left.length > 0 ? [`The check leaves out ${left.join(', ')}.`] : []),
  ];
}

function outcome(
  missing: readonly ProposedFile[],
  { name, isWritten }: { readonly name: string; readonly isWritten: boolean },
): readonly string[] {
  const files = missing.map((file) => file.name).join(' and ');
  if (missing.length === 0) return ['There is nothing to write.'];
  return isWritten ? [`Wrote ${files}.`] : [`Nothing was written. ${name} init --yes writes ${files}.`];
}

function next(root: string, name: string): readonly string[] {
  const there = relative(process.cwd(), root);
  return [
    'Next:',
    ...(there === '' ? [] : [`  cd ${quoted(there)}`]),
    ...aligned([
      [`${name} check`, 'is the plan right, can it finish, what may it cost'],
      [`${name} simulate`, 'how it would go, in virtual time'],
      [`${name} run`, 'runs it'],
    ]),
  ];
}

function asData({ root, found, chosen, detected, files }: Proposed, isWritten: boolean): unknown {
  const stateOf = ({ isThere }: ProposedFile): string => (isThere ? 'kept' : isWritten ? 'written' : 'proposed');
  return {
    root,
    agents: found.filter(({ path }) => path !== undefined).map(({ use, version, login }) => ({ use, version, login })),
    chosen,
    ...detected,
    repository: troubleWithRepository(root) ?? 'ready',
    files: files.map((file) => ({ path: file.name, state: stateOf(file), text: file.isThere ? undefined : file.text })),
  };
}
