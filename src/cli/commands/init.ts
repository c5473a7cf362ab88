import { join, relative } from 'node:path';
import type { FoundAgent } from '../../app/agent-parts.ts';
import { callingOf, shellQuoted } from '../../app/onboarding/calling.ts';
import {
  proposeFiles,
  writeProposed,
  type ChosenAgents,
  type Onboarding,
  type ProposedFile,
  type RepositoryState,
} from '../../app/onboarding/onboard.ts';
import type { Detected, DetectedProject } from '../../app/onboarding/detect.ts';
import { canAsk, confirmed } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { firstOf } from '../../core/view/text/count-text.ts';
import { aligned } from '../text/rows.ts';

export interface InitFlags {
  readonly yes: boolean;
  readonly json: boolean;
}

/** `heddle init`: inspects a repository, proposes settings and a first plan, and writes them on a yes. */
export async function init(terminal: Terminal, named: string | undefined, flags: InitFlags): Promise<ExitCode> {
  const proposed = await proposeFiles(named);
  const missing = proposed.files.filter(({ isThere }) => !isThere);
  if (!flags.json) for (const line of findings(terminal, proposed)) terminal.out(line);
  const isMeant = missing.length > 0 && (await isWanted(terminal, missing, flags));
  if (isMeant) writeProposed(proposed);
  if (flags.json) terminal.out(JSON.stringify(asData(proposed, isMeant), undefined, 2));
  else for (const line of ending(terminal, proposed, isMeant)) terminal.out(line);
  return EXIT.done;
}

async function isWanted(terminal: Terminal, missing: readonly ProposedFile[], flags: InitFlags): Promise<boolean> {
  if (flags.yes) return true;
  if (flags.json || !canAsk(terminal)) return false;
  const what = missing.length === 1 ? 'this file' : `these ${missing.length} files`;
  return await confirmed(terminal, `Write ${what}?`, false);
}

function findings(terminal: Terminal, proposed: Onboarding): readonly string[] {
  const { root, folder, agents, detected, files } = proposed;
  const strong = (text: string): string => paint(terminal, 'strong', text);
  const where = folder === root ? [] : [`This folder belongs to the repository ${root}, so the files go there.`];
  return [
    strong(`Found in ${root}`),
    ...where,
    ...aligned([...agentRows(agents), ...projectRows(detected), ...commandRows(detected)]),
    '',
    ...files.flatMap((file) =>
      file.isThere
        ? [`${strong(file.name)} is there already, and is kept as it is.`, '']
        : [...contentLines(strong(file.name), file), ''],
    ),
  ];
}

const contentLines = (name: string, { purpose, text }: ProposedFile): readonly string[] =>
  purpose === 'schema'
    ? [`${name} would be the schema of plans, by which an editor completes and checks them.`]
    : [`${name} would be:`, '', ...text.trimEnd().split('\n').map(indented)];

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

function projectRows({ projects, others, isEmpty }: Detected): readonly (readonly string[])[] {
  if (projects.length === 0)
    return [['project', isEmpty ? 'nothing yet' : 'nothing that says how it is built or tested']];
  const rowOf = (label: string, { tool, folder, evidence }: DetectedProject): readonly string[] => [
    label,
    `${tool} (${evidence.map((name) => join(folder, name)).join(', ')})`,
  ];
  return [
    ...projects.map((project, at) => rowOf(at === 0 ? 'project' : '', project)),
    ...others.map((project, at) => rowOf(at === 0 ? 'also' : '', project)),
  ];
}

const commandRows = ({ check, setup, packages, include, isEmpty }: Detected): readonly (readonly string[])[] => [
  ...(packages.length === 0 ? [] : [['packages', firstNames(packages)]]),
  ['check', check?.run ?? (isEmpty ? 'none yet' : 'no tests were found; name a command in .heddle/config.yaml')],
  ...(setup === undefined ? [] : [['set-up', setup.run]]),
  ...(include.length === 0 ? [] : [['settings', `${include.join(', ')} (not in git)`]]),
];

const NAMES_MAX = 6;

function firstNames(names: readonly string[]): string {
  const { shown, more } = firstOf(names, NAMES_MAX);
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function ending(
  terminal: Terminal,
  { root, chosen, detected, repository, files }: Onboarding,
  isWritten: boolean,
): readonly string[] {
  const { name } = callingOf(process.env, process.argv);
  const missing = files.filter(({ isThere }) => !isThere);
  const notes = [repositoryText(repository), agentProblemText(chosen), ...severalLines(detected)];
  return [
    ...outcome(missing, { name, isWritten }),
    ...notes.flatMap((says) => (says === undefined ? [] : [`${paint(terminal, 'warn', 'note')}: ${says}`])),
    ...(isWritten || missing.length === 0 ? next(root, name) : []),
  ];
}

const repositoryText = (state: RepositoryState): string | undefined => REPOSITORY_TEXTS[state];

const REPOSITORY_TEXTS: Readonly<Record<RepositoryState, string | undefined>> = {
  ready: undefined,
  'no-repository':
    "This is no git repository, and sandboxes are made of commits: git init && git add . ':!.heddle' && git commit -m start. Or run in place, without sandboxes: heddle run --no-git.",
  'no-commit':
    'This repository has no commit yet, and sandboxes are made of commits: git add . && git commit -m start.',
};

function agentProblemText({ problem }: ChosenAgents): string | undefined {
  if (problem === undefined) return undefined;
  const { code, agent, hint } = problem;
  const says =
    code === 'not-logged-in'
      ? `${agent} is here, but nothing says that it is logged in.`
      : `No agent is installed here, so the plan names ${agent}.`;
  return hint === undefined ? says : `${says} ${hint}`;
}

function severalLines({ projects, others }: Detected): readonly string[] {
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
  const files = new Intl.ListFormat('en').format(missing.map((file) => file.name));
  if (missing.length === 0) return ['There is nothing to write.'];
  return isWritten ? [`Wrote ${files}.`] : [`Nothing was written. ${name} init --yes writes ${files}.`];
}

function next(root: string, name: string): readonly string[] {
  const there = relative(process.cwd(), root);
  return [
    'Next:',
    ...(there === '' ? [] : [`  cd ${shellQuoted(there)}`]),
    ...aligned([
      [`${name} check`, 'is the plan right, can it finish, what may it cost'],
      [`${name} simulate`, 'how it would go, in virtual time'],
      [`${name} run`, 'runs it'],
    ]),
  ];
}

function asData({ root, agents, chosen, detected, repository, files }: Onboarding, isWritten: boolean): unknown {
  const stateOf = ({ isThere }: ProposedFile): string => (isThere ? 'kept' : isWritten ? 'written' : 'proposed');
  return {
    root,
    agents: agents.filter(({ path }) => path !== undefined).map(({ use, version, login }) => ({ use, version, login })),
    chosen,
    ...detected,
    repository,
    files: files.map((file) => ({
      path: file.name,
      state: stateOf(file),
      text: file.isThere || file.purpose === 'schema' ? undefined : file.text,
    })),
  };
}
