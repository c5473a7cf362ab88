// Onboarding: inspects a repository, proposes settings and a first plan for it, and writes them when asked to.
//
// onboard/O1. A file that exists is kept. Nothing of the user's is overwritten.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { makeOwnersFolder } from '../../shell/exec/owners-folder.ts';
import { agentsHere, type FoundAgent } from '../agent-parts.ts';
import { hostsOfAgent } from '../git-parts.ts';
import { excludeFromGit } from '../exclude.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { PLAN_NAMES } from '../plan/load-plan.ts';
import { findProject, mustBeWritable } from '../project.ts';
import { Refused } from '../refusal.ts';
import { chooseAgents, type ChosenAgents } from './choose-agents.ts';
import { detect, type Detected } from './detect.ts';
import { planText, settingsText } from './propose.ts';

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
    agentHosts: chosen.uses.flatMap(hostsOfAgent),
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
function nameFor(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, NAME_LENGTH_MAX);
  return name === '' ? 'first' : name;
}

function repositoryAt(root: string): RepositoryState {
  if (!existsSync(join(root, '.git'))) return 'no-repository';
  const { code, error } = captureNow(['git', 'rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root });
  // A git that cannot start is no evidence about the repository; a run reports the error.
  return code === 0 || error !== undefined ? 'ready' : 'no-commit';
}
