// Onboarding: inspects a repository, proposes settings and a first plan for it, and writes them when asked to.
//
// onboard/O1. A file that exists is kept. Nothing of the user's is overwritten.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { makeOwnersFolder } from '../../shell/exec/owners-folder.ts';
import { agentsHere, type FoundAgent } from '../agent-parts.ts';
import { excludeFromGit, findProject, mustBeWritable } from '../project.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { PLAN_NAMES } from '../plan/load-plan.ts';
import { Refused } from '../refused.ts';
import { detect, type Detected } from './detect.ts';
import { planText, settingsText } from './propose.ts';
import { AGENT_NEEDS } from '../../shell/sandbox/isolation/agent-needs.ts';

/** What was found in a repository, and the files that are proposed for it. */
export interface Onboarding {
  /** The folder that the files belong to: the repository's root. */
  readonly root: string;
  /** The folder that was asked about. */
  readonly folder: string;
  readonly agents: readonly FoundAgent[];
  readonly chosen: ChosenAgents;
  readonly detected: Detected;
  readonly repository: RepositoryState;
  readonly files: readonly ProposedFile[];
}

/** Sandboxes are made of commits. */
export type RepositoryState = 'ready' | 'no-repository' | 'no-commit';

export interface ProposedFile {
  /** `schema` is for editors, which the first line of the plan points to it. */
  readonly purpose: 'settings' | 'plan' | 'schema';
  readonly path: string;
  /** From the root. */
  readonly name: string;
  readonly text: string;
  /** The file, or one that takes its place, exists and is kept. */
  readonly isThere: boolean;
}

export async function proposeFiles(named: string | undefined): Promise<Onboarding> {
  const folder = resolve(named ?? '.');
  if (!existsSync(folder)) throw new Refused({ code: 'folder-missing', folder });
  const { root } = findProject(folder);
  const agents = await agentsHere();
  const chosen = chooseAgents(agents);
  const detected = detect(root);
  const repository = repositoryAt(root);
  return { root, folder, agents, chosen, detected, repository, files: filesFor(root, { chosen, detected }) };
}

/** Writes the files that are missing. */
export function writeProposed({ root, files }: Onboarding): void {
  const project = findProject(root);
  const { home } = project;
  mustBeWritable(project);
  excludeFromGit(project);
  for (const { path, text, isThere } of files) {
    if (isThere) continue;
    try {
      if (dirname(path) === home) makeOwnersFolder(home);
      // Never over a file that was created in the meantime.
      writeFileSync(path, text, { flag: 'wx' });
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Refused({ code: 'unwritable', file: path, message }, { cause });
    }
  }
}

const SETTINGS = join('.heddle', 'config.yaml');
const PLAN = 'plan.yaml';
const INSTALLED_SCHEMA = join('node_modules', 'heddle', 'schema', 'plan.schema.json');
const SCHEMA = join('.heddle', 'plan.schema.json');

function filesFor(
  root: string,
  { chosen, detected }: { readonly chosen: ChosenAgents; readonly detected: Detected },
): readonly ProposedFile[] {
  const isInstalled = existsSync(join(root, INSTALLED_SCHEMA));
  const schema = isInstalled ? INSTALLED_SCHEMA : SCHEMA;
  const proposal = {
    agents: chosen.uses,
    detected,
    agentHosts: chosen.uses.flatMap((use) => AGENT_NEEDS.get(use)?.hosts ?? []),
    name: nameFor(root),
    schema,
  };
  const plan = PLAN_NAMES.find((name) => existsSync(join(root, name)));
  const fileOf = (purpose: ProposedFile['purpose'], name: string, text: string): ProposedFile => ({
    purpose,
    path: join(root, name),
    name,
    text,
    isThere: existsSync(join(root, name)),
  });
  const files = [
    fileOf('settings', SETTINGS, settingsText(proposal)),
    fileOf('plan', plan ?? PLAN, planText(proposal)),
  ];
  if (isInstalled || plan !== undefined) return files;
  const text = readFileSync(join(PACKAGE_ROOT, 'schema', 'plan.schema.json'), 'utf8');
  return [...files, fileOf('schema', SCHEMA, text)];
}

const NAME_LENGTH_MAX = 40;

/** The folder's own name, as far as a plan can have it. */
export function nameFor(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, NAME_LENGTH_MAX);
  return name === '' ? 'first' : name;
}

export function repositoryAt(root: string): RepositoryState {
  if (!existsSync(join(root, '.git'))) return 'no-repository';
  const { code, error } = captureNow(['git', 'rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root });
  // A git that cannot start is no evidence about the repository; a run reports the error.
  return code === 0 || error !== undefined ? 'ready' : 'no-commit';
}

export interface ChosenAgents {
  /** The first gets the prompts, the others are fallbacks. Never empty. */
  readonly uses: readonly string[];
  /** Why the first agent cannot run yet. `hint` explains how to install it or log in. */
  readonly problem:
    | { readonly code: 'not-logged-in' | 'not-installed'; readonly agent: string; readonly hint: string | undefined }
    | undefined;
}

/** Proposed where no agent is installed: the most common one. */
const USUAL = 'claude';
const AGENTS_MAX = 3;

/** Chooses the agents of a first plan from the agents on this machine. */
function chooseAgents(found: readonly FoundAgent[]): ChosenAgents {
  const real = found.filter(({ program }) => program !== undefined);
  const here = real.filter(({ path }) => path !== undefined);
  const ready = here.filter(({ login }) => login.type !== 'none');
  if (ready.length > 0) return { uses: ready.slice(0, AGENTS_MAX).map(({ use }) => use), problem: undefined };
  const [first] = here;
  if (first !== undefined)
    return { uses: [first.use], problem: { code: 'not-logged-in', agent: first.use, hint: first.hint } };
  const hint = real.find(({ use }) => use === USUAL)?.hint;
  return { uses: [USUAL], problem: { code: 'not-installed', agent: USUAL, hint } };
}
