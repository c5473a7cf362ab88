// The life of the steps of one task as places and transitions.
//
// step-life/S1. Claiming takes the step's ready tokens, one slot of every cap around it and its pool tokens, all at
//   once.
// step-life/S2. Every way out of `working` gives slots and pool tokens back; only `claim` leads into it.
// step-life/S3. A step that is skipped (`drop`), joined or ended passes the same tokens on, so later steps always receive
//   them.
import { assert } from '../assert.ts';
import type { ArcsOfTransition } from '../net/net.ts';
import { mayRejoin, rejoinPoint } from '../plan/check/step-order.ts';
import type { PoolDemand, Step, WorkTask } from '../plan/plan.ts';
import type { CompiledStep, StepTransitions } from './compiled.ts';
import type { StepTransition, TaskIndex } from './meaning.ts';
import type { PlanLayer } from './lay-plan.ts';
import type { Resources } from './resources.ts';
import { OPENING, sequence, type SequencedStep } from './sequence.ts';

export interface StepLives {
  readonly steps: readonly CompiledStep[];
  /** Places that the task's opening fills. */
  readonly first: readonly number[];
}

interface StepContext {
  readonly layer: PlanLayer;
  readonly task: WorkTask;
  readonly index: TaskIndex;
  readonly resources: Resources;
  /** Filled by the last step in sequence. */
  readonly worked: number;
}

interface StepParts {
  readonly sequenced: SequencedStep;
  /** Its own ready place, then one place per async step it collects. */
  readonly ready: readonly number[];
}

export function layStepLives(around: StepContext): StepLives {
  const { layer, task, index } = around;
  const parts = sequence(task.steps).map((sequenced): StepParts => {
    const of = { task: index, step: sequenced.index };
    const own = layer.stepPlace(of, 'ready');
    const collects = sequenced.needs.map((from) => layer.collectPlace(of, from));
    return { sequenced, ready: [own, ...collects] };
  });
  const steps = parts.map((part) =>
    part.sequenced.step.type === 'join'
      ? layJoin(around, parts, part)
      : layStep(around, part, passesOn(parts, part.sequenced, around.worked)),
  );
  return { steps, first: launchedFrom(parts, OPENING) };
}

const launchedFrom = (parts: readonly StepParts[], launcher: number): readonly number[] =>
  parts.flatMap((part) => (part.sequenced.launchedBy === launcher ? part.ready.slice(0, 1) : []));

/** The places that a step fills when it is over. */
function passesOn(parts: readonly StepParts[], { index, step, collectors }: SequencedStep, worked: number): number[] {
  const collected = collectors.map((collector) => {
    const part = parts[collector];
    const place = part?.ready[part.sequenced.needs.indexOf(index) + 1];
    assert(place !== undefined, 'A collector has a place for each step it collects.');
    return place;
  });
  if (step.async) return collected;
  const launched = launchedFrom(parts, index);
  return [...(launched.length > 0 ? launched : [worked]), ...collected];
}

/**
 * The places marked just before step `index`; filling them runs that step and all later ones again. They are the cut
 * between earlier and later steps: filled by the former, not yet emptied by the latter.
 */
export function placesBefore(steps: readonly CompiledStep[], index: number): readonly number[] {
  let launchedBy = OPENING;
  return steps.flatMap(({ step, index: at, needs, ready }) => {
    const fillers = [launchedBy, ...needs];
    if (!step.async) launchedBy = at;
    return at < index ? [] : ready.filter((_, place) => (fillers[place] ?? OPENING) < index);
  });
}

function layStep(around: StepContext, { sequenced, ready }: StepParts, next: readonly number[]): CompiledStep {
  const { step, index, needs, named, collectors } = sequenced;
  const add = adder(around, { step: index, variant: 0 });
  const of = { step, task: around.index, index, needs, named, collectors, ready, otherVariants: [] };
  const transitions = noTransitions(add('drop', { takes: ready, gives: next }));
  const [first, ...rest] = livesOf(step);
  const working = layWork(around, { of, transitions, next, variant: 0, pools: first?.pools ?? [] });
  const asking = mayAsk(step) ? around.layer.stepPlace({ task: around.index, step: index }, 'asking') : undefined;
  if (asking !== undefined) layAsk(around, { of, transitions, working, asking, pools: first?.pools ?? [], variant: 0 });
  if (asking !== undefined) {
    transitions.answer = add('answer', { takes: [asking], gives: next });
    transitions.retry = add('retry', { takes: [asking], gives: ready });
  }
  const otherVariants = rest.map(({ agents, pools }, place): CompiledStep => {
    const own = { ...transitions };
    const laid = { of, transitions: own, next, variant: place + 1, pools };
    const at = layWork(around, laid);
    if (asking !== undefined) layAsk(around, { ...laid, working: at, asking });
    return { ...of, working: at, asking, transitions: own, agents };
  });
  return { ...of, working, asking, transitions, agents: first?.agents ?? [], otherVariants };
}

/** A join needs no claim: it is made, asks a person, or sends the steps that it joins round again (step-order/J1). */
function layJoin(around: StepContext, parts: readonly StepParts[], { sequenced, ready }: StepParts): CompiledStep {
  const { step, index, needs, named, collectors } = sequenced;
  const next = passesOn(parts, sequenced, around.worked);
  const add = adder(around, { step: index, variant: 0 });
  const transitions = noTransitions(add('drop', { takes: ready, gives: next }));
  transitions.join = add('join', { takes: ready, gives: next });
  let asking: number | undefined;
  if (mayRejoin(step)) {
    const { leftovers, before } = placesOfRejoin(around.task.steps, parts, index);
    transitions.rejoin = add('rejoin', { takes: [...ready, ...leftovers], gives: before });
    if (mayAsk(step)) {
      asking = around.layer.stepPlace({ task: around.index, step: index }, 'asking');
      transitions.ask = add('ask', { takes: ready, gives: [asking] });
      transitions.answer = add('answer', { takes: [asking], gives: next });
      transitions.retry = add('retry', { takes: [asking, ...leftovers], gives: before });
    }
  }
  const of = { step, task: around.index, index, needs, named, collectors, ready, otherVariants: [] };
  return { ...of, working: undefined, asking, transitions, agents: [] };
}

/** The places that were marked before the first of the joined steps, and those that its steps fill for later ones. */
function placesOfRejoin(
  steps: readonly Step[],
  parts: readonly StepParts[],
  join: number,
): { readonly leftovers: readonly number[]; readonly before: readonly number[] } {
  const point = rejoinPoint(steps, join);
  assert(point.type === 'from', 'A checked plan tries only those joins again whose steps have ended.');
  const { step: from } = point;
  const isAgain = (step: number): boolean => step >= from && step < join;
  const before = parts
    .slice(from, join + 1)
    .flatMap(({ sequenced, ready }) =>
      [sequenced.launchedBy, ...sequenced.needs].flatMap((filler, at) =>
        filler < from ? ready.slice(at, at + 1) : [],
      ),
    );
  const leftovers = parts
    .slice(join + 1)
    .flatMap(({ sequenced, ready }) =>
      sequenced.needs.flatMap((need, at) => (isAgain(need) ? ready.slice(at + 1, at + 2) : [])),
    );
  return { leftovers, before };
}

interface Life {
  readonly agents: readonly string[];
  readonly pools: readonly PoolDemand[];
}

/** Agents with the same pools share a variant; the variant of the step's own agent comes first. */
function livesOf(step: Step): readonly Life[] {
  if (step.type !== 'prompt') return [{ agents: [], pools: step.pools }];
  const variants: { agents: string[]; pools: readonly PoolDemand[] }[] = [
    { agents: step.agent === undefined ? [] : [step.agent], pools: step.pools },
  ];
  for (const { agent, pools } of step.fallbacks) {
    const same = variants.find((variant) => JSON.stringify(variant.pools) === JSON.stringify(pools));
    if (same === undefined) variants.push({ agents: [agent], pools });
    else same.agents.push(agent);
  }
  return variants;
}

interface Laying {
  readonly of: Pick<CompiledStep, 'step' | 'index' | 'ready'>;
  readonly transitions: TransitionsDraft;
  readonly variant: number;
  readonly pools: readonly PoolDemand[];
}

/** Lays the running phase of a step, and returns its place. */
function layWork(
  around: StepContext,
  { of, transitions, next, variant, pools }: Laying & { readonly next: readonly number[] },
): number {
  const { step, index, ready } = of;
  const add = adder(around, { step: index, variant });
  const working = around.layer.stepPlace({ task: around.index, step: index, variant }, 'working');
  const held = around.resources.heldBy(around.index, pools);
  transitions.claim = add('claim', {
    takes: [...ready, ...held],
    gives: [working],
    reads: around.resources.switchesOf(pools),
  });
  transitions.end = add('end', { takes: [working], gives: [...next, ...held] });
  transitions.return = add('return', { takes: [working], gives: [...ready, ...held] });
  transitions.cancel = add('cancel', { takes: [working], gives: [working] });
  // A command has no cost, so it needs no further reservation.
  if (step.type === 'prompt') transitions.raise = add('raise', { takes: [working], gives: [working] });
  return working;
}

function layAsk(
  around: StepContext,
  { of, transitions, variant, pools, working, asking }: Laying & { readonly working: number; readonly asking: number },
): void {
  const held = around.resources.heldBy(around.index, pools);
  transitions.ask = adder(around, { step: of.index, variant })('ask', { takes: [working], gives: [asking, ...held] });
}

/** Transitions that are being laid; only this file mutates them. */
type TransitionsDraft = { -readonly [Name in keyof StepTransitions]: StepTransitions[Name] };

const noTransitions = (drop: number): TransitionsDraft => ({
  drop,
  claim: undefined,
  end: undefined,
  return: undefined,
  cancel: undefined,
  raise: undefined,
  join: undefined,
  rejoin: undefined,
  ask: undefined,
  answer: undefined,
  retry: undefined,
});

/** Whether a person may be asked: about this step's result, or by its agent. */
const mayAsk = (step: Step): boolean =>
  step.type === 'prompt' || step.onError === 'gate' || step.onResult.some(({ rule }) => rule === 'gate');

const adder = (
  { layer, index: task }: StepContext,
  { step, variant }: { readonly step: number; readonly variant: number },
) => {
  const of = { task, step, variant };
  return (transition: StepTransition, arcs: ArcsOfTransition): number => layer.stepTransition(of, transition, arcs);
};
