// Opens the drafting that a call of `heddle plan` means: a new one, or one that goes on.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findDrafting, draftingOf, type Drafting } from '../../app/draft/drafting.ts';
import { planToRevise } from '../../app/draft/revised-plan.ts';
import { startDrafting } from '../../app/draft/start-drafting.ts';
import { isFolder, readText } from '../../app/plan/read-file.ts';
import { findProject, type Project } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { CommandFailure } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface DraftFlags {
  readonly from: readonly string[];
  readonly revise: string | undefined;
  readonly run: string | undefined;
  readonly fresh: boolean;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly budgetUsd: number;
  readonly timeout: number;
  readonly within: number | undefined;
  readonly budget: number | undefined;
  readonly rounds: number;
  readonly tests: boolean;
  readonly out: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
  readonly printGuide: boolean;
}

const PLAN = 'plan.yaml';

export async function openDrafting(terminal: Terminal, words: readonly string[], flags: DraftFlags): Promise<Drafting> {
  const project = findProject();
  const asked = goalIn(words, flags);
  const going = await goingOn(project, asked, flags);
  if (going !== undefined) {
    terminal.err(`Goes on with ${going.record.run}: ${going.settings.goal.split('\n')[0] ?? ''}`);
    return going;
  }
  if (asked === undefined) throw new Refused({ code: 'no-drafting', run: undefined });
  const revised = flags.revise === undefined ? undefined : planToRevise({ project, file: words[0], run: flags.run });
  const started = await startDrafting({
    project,
    goal: asked,
    sources: flags.from.map((file) => ({ name: file === '-' ? 'standard input' : file, text: readText(file) })),
    agent: flags.agent,
    model: flags.model,
    draftingUsd: flags.budgetUsd,
    turnMs: flags.timeout,
    withinMs: flags.within,
    budgetUsd: flags.budget,
    rounds: flags.rounds,
    runsCheck: flags.tests,
    file: fileOf(project, flags.out ?? revised?.file),
    revises: revised && { text: revised.text, run: revised.run },
  });
  return draftingOf(started);
}

/** Undefined when the call asks for nothing new. */
function goalIn(words: readonly string[], { revise, from }: DraftFlags): string | undefined {
  if (revise !== undefined) {
    if (words.length > 1)
      throw new CommandFailure('With --revise name at most the plan file: heddle plan --revise "cheaper" plan.yaml.');
    return revise;
  }
  const goal = words.join(' ').trim();
  if (goal === '-') return readText('-').trim();
  if (goal === '' && from.length > 0) return `Do what ${from.join(' and ')} asks for.`;
  return words.length === 0 ? undefined : goal;
}

/** The drafting that is named, else the latest if it was asked for the same, else with no goal the latest of all. */
async function goingOn(project: Project, goal: string | undefined, flags: DraftFlags): Promise<Drafting | undefined> {
  const { run, revise, fresh } = flags;
  if (run !== undefined && revise === undefined) return findDrafting(project, run);
  if (fresh || revise !== undefined || !existsSync(project.home)) return undefined;
  const found = await findDrafting(project, undefined);
  if (found === undefined || goal === undefined || asksTheSame(found, goal, flags)) return found;
  found.open.store.close();
  return undefined;
}

/** The same goal, and no limit, agent or file that the drafting does not have. */
function asksTheSame({ open, settings }: Drafting, goal: string, { within, budget, agent, out }: DraftFlags): boolean {
  const asked = [
    [within, settings.withinMs],
    [budget, settings.budgetUsd],
    [agent, settings.agent],
    [out && fileOf(open.project, out), settings.file],
  ] as const;
  return settings.goal === goal && asked.every(([wanted, has]) => wanted === undefined || wanted === has);
}

/** From the project's root; in a folder that is named, the usual name. */
const fileOf = (project: Project, named: string | undefined): string =>
  named === undefined ? PLAN : relative(project.root, resolve(isFolder(named) ? join(named, PLAN) : named));
