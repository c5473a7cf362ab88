// Starts a drafting: chooses the agent, surveys the project, and creates the run in which the agent drafts.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { briefingText, type Request } from '../../core/draft/briefing.ts';
import { draftingPlanText } from '../../core/draft/drafting-plan.ts';
import { assert } from '../../core/assert.ts';
import { parsePlan } from '../../core/plan/build/parse.ts';
import { agentsHere, type FoundAgent } from '../agent-parts.ts';
import { sandboxLines } from '../onboarding/propose.ts';
import { AGENT_NEEDS } from '../../shell/sandbox/isolation/agent-needs.ts';
import { repositoryAt } from '../onboarding/onboard.ts';
import type { OpenProject, RunRecord } from '../open-project.ts';
import { hasAgent, settingsLayers, type LoadedPlan } from '../plan/load-plan.ts';
import { isFolder } from '../plan/read-file.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { createRun } from '../run/create-run.ts';
import type { AddedKeys } from '../../core/draft/written-plan.ts';
import type { Detected } from '../onboarding/detect.ts';
import { orderAsInput, type DraftingSettings, type DraftingRequest } from './drafting-settings.ts';
import { surveyProject, type SurveyedProject } from './survey-project.ts';

export interface StartDrafting extends Omit<DraftingRequest, 'agent'> {
  readonly project: Project;
  /** The kind of agent; undefined is the first that is installed and logged in. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** The most that the drafting itself may cost. */
  readonly draftingUsd: number;
  /** The most time of one turn. */
  readonly turnMs: number;
  /** Runs the check of the project once first. */
  readonly runsCheck: boolean;
}

export interface StartedDrafting {
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly settings: DraftingSettings;
  /** What it was started on; a drafting that goes on surveys again. */
  readonly surveyed: SurveyedProject;
}

export const GOAL_MAX = 20_000;
const SOURCES_MAX = 200_000;

export async function startDrafting(start: StartDrafting): Promise<StartedDrafting> {
  const { project, goal, sources } = start;
  mustBeShort(start);
  mustHaveFolder(start);
  const state = repositoryAt(project.root);
  if (state !== 'ready') throw new Refused({ code: 'nothing-committed-yet', isRepository: state === 'no-commit' });
  const found = await agentsHere();
  const agent = chooseAgent(found, start.agent);
  const surveyed = surveyProject(project.root, agentsFor(found, agent));
  const { withinMs, budgetUsd, rounds, file, revises } = start;
  const settings: DraftingSettings = { goal, withinMs, budgetUsd, rounds, file, revises, agent };
  const request: Request = { goal, limits: { withinMs, budgetUsd }, sources, revised: revises?.text };
  const loaded = draftingPlan(start, agent, { detected: surveyed.detected, args: await argsFor(agent) });
  const created = await createRun({
    project,
    loaded,
    plan: loaded.plan,
    isInPlace: false,
    inputs: [`goal=${goal}`, `briefing=${briefingText(surveyed.facts, request)}`, `order=${orderAsInput(settings)}`],
    policy: 'parallel',
    seed: undefined,
    purpose: 'draft',
  });
  assert(created.type === 'created', 'The plan of a drafting is sound.');
  return { open: created.open, record: created.record, settings, surveyed };
}

function mustBeShort({ goal, sources }: StartDrafting): void {
  if (goal.trim() === '') throw new Refused({ code: 'no-goal' });
  if (goal.length > GOAL_MAX)
    throw new Refused({ code: 'goal-too-long', characters: goal.length, charactersMax: GOAL_MAX });
  const characters = sources.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > SOURCES_MAX) throw new Refused({ code: 'sources-too-long', characters, charactersMax: SOURCES_MAX });
}

/** A plan that could not be written would be found out after the money is spent. */
function mustHaveFolder({ project, file }: StartDrafting): void {
  const folder = dirname(resolve(project.root, file));
  if (!isFolder(folder)) throw new Refused({ code: 'place-missing', place: folder });
}

/** The agent that was asked for, else the first that is installed, logged in where that can be seen. */
function chooseAgent(found: readonly FoundAgent[], wanted: string | undefined): string {
  const known = found.map(({ use }) => use);
  const real = found.filter(({ program }) => program !== undefined);
  if (wanted !== undefined) {
    if (!known.includes(wanted)) throw new Refused({ code: 'agent-unknown', agent: wanted, known });
    const isMissing = real.some(({ use, path }) => use === wanted && path === undefined);
    if (isMissing) throw new Refused({ code: 'agent-missing', agent: wanted, use: wanted });
    return wanted;
  }
  const here = real.filter(({ path }) => path !== undefined);
  const first = here.find(({ login }) => login.type !== 'none') ?? here[0];
  if (first === undefined) throw new Refused({ code: 'no-agent', known: real.map(({ use }) => use) });
  return first.use;
}

/** The kinds that a plan may name: those that are installed, the one that drafts first. */
export function agentsFor(found: readonly FoundAgent[], drafts: string): readonly string[] {
  const here = found.filter(({ program, path }) => program !== undefined && path !== undefined).map(({ use }) => use);
  return [...new Set([drafts, ...here])];
}

/**
 * What keeps the agent from changing files. The sandbox is its own and nothing of it is merged, so this saves turns rather
 * than files.
 */
async function argsFor(agent: string): Promise<readonly string[]> {
  if (agent === 'claude') return ['--disallowedTools', 'Edit,MultiEdit,Write,NotebookEdit'];
  if (agent !== 'codex') return [];
  // Inside an isolated sandbox its own sandbox cannot start commands, and it would draft without reading.
  const { tryIsolation } = await import('../sandbox-parts.ts');
  return (await tryIsolation('os')).type === 'refused' ? ['--sandbox', 'read-only'] : [];
}

/** Packages that are installed in the checkout are shared instead of installed anew: nothing is merged from a drafting. */
const linkedIn = (root: string, { link, projects }: Detected): readonly string[] =>
  link.length === 0 &&
  projects.some(({ evidence }) => evidence.includes('package.json')) &&
  existsSync(join(root, PACKAGES))
    ? [PACKAGES]
    : link;

const PACKAGES = 'node_modules';
const FILE = 'heddle plan';

function draftingPlan(
  { project: { root }, model, draftingUsd, turnMs, runsCheck }: StartDrafting,
  use: string,
  { detected, args }: { readonly detected: Detected; readonly args: readonly string[] },
): LoadedPlan & { readonly plan: NonNullable<LoadedPlan['plan']> } {
  const { check, setup } = detected;
  const link = linkedIn(root, detected);
  const text = draftingPlanText({
    use,
    model,
    args,
    budgetUsd: draftingUsd,
    timeoutMs: turnMs,
    baseline:
      runsCheck && check !== undefined
        ? { setup: link.length > 0 ? undefined : setup?.run, check: check.run }
        : undefined,
    link,
  });
  // Without settings files: their checks and budgets are for the work, not for the drafting.
  const parsed = parsePlan(text, { file: FILE });
  const { plan } = parsed;
  assert(plan !== undefined, `The plan of a drafting is right: ${parsed.diagnostics[0]?.message ?? ''}`);
  return { ...parsed, plan, file: FILE, text, texts: new Map([[FILE, text]]), unpriced: [] };
}

/** The keys that an accepted plan gets where the draft leaves them out: those that `heddle init` would propose. */
export function addedKeys({ facts, detected }: SurveyedProject, file: string): AddedKeys {
  const { agents, name } = facts;
  const agentHosts = agents.flatMap((use) => AGENT_NEEDS.get(use)?.hosts ?? []);
  return {
    agent: hasAgent(settingsLayers(file)) ? [] : [`agent: ${agents[0] ?? ''}`],
    sandbox: sandboxLines({ agents, detected, agentHosts, name, schema: undefined }),
  };
}
