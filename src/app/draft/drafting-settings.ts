// What a drafting was asked for, as its run keeps it: an input of the run, so that it can go on from the log alone.
import type { Json } from '../../core/plan/plan.ts';
import type { SourceGiven } from '../../core/draft/briefing.ts';

export interface DraftingSettings {
  readonly goal: string;
  readonly withinMs: number | undefined;
  readonly budgetUsd: number | undefined;
  /** How often Heddle sends findings back before it asks a person. */
  readonly rounds: number;
  /** The file that the plan is for, from the project's root. */
  readonly file: string;
  /** The plan to revise, and the run whose plan it is. */
  readonly revises: { readonly text: string; readonly run: string | undefined } | undefined;
  /** The kind of agent that drafts. */
  readonly agent: string;
}

export interface DraftingRequest extends DraftingSettings {
  readonly sources: readonly SourceGiven[];
}

/** For the input `order`; the goal is an input of its own, because people look for it. */
export const orderAsInput = ({ withinMs, budgetUsd, rounds, file, revises, agent }: DraftingSettings): string =>
  JSON.stringify({ withinMs, budgetUsd, rounds, file, revises, agent });

/** Undefined for the inputs of a run that is no drafting. */
export function orderOf(inputs: Readonly<Record<string, Json>>): DraftingSettings | undefined {
  const { goal, order: settings } = inputs;
  if (typeof goal !== 'string' || !isFields(settings)) return undefined;
  const { rounds, file, agent } = settings;
  if (typeof rounds !== 'number' || typeof file !== 'string' || typeof agent !== 'string') return undefined;
  const revises = settings['revises'];
  return {
    goal,
    rounds,
    file,
    agent,
    withinMs: numberOf(settings['withinMs']),
    budgetUsd: numberOf(settings['budgetUsd']),
    revises: isFields(revises) ? { text: textOf(revises['text']) ?? '', run: textOf(revises['run']) } : undefined,
  };
}

type Fields = { readonly [key: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
