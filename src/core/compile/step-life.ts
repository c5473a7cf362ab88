// The life of the steps of one task as places and transitions.
//
// S1. Claiming takes the step's ready tokens, one slot of every cap around it and its pool tokens, all at once.
// S2. Every way out of `working` gives slots and pool tokens back; only `claim` leads into it.
// S3. A step that is dropped, joined or ended passes the same tokens on, so later steps always hear of it.
import { assert } from '../assert.ts';
import type { ArcsOfTransition } from '../net/net.ts';
import type { Step, WorkTask } from '../plan/plan.ts';
import type { CompiledStep, StepDeeds } from './compiled.ts';
import type { StepDeed, TaskIndex } from './meaning.ts';
import type { PlanLayer } from './lay-plan.ts';
import type { Resources } from './resources.ts';
import { OPENING, sequence, type SequencedStep } from './sequence.ts';

export interface StepLives {
  readonly steps: readonly CompiledStep[];
  /** Places that the task's opening fills. */
  readonly first: readonly number[];
}

interface Around {
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

export function layStepLives(around: Around): StepLives {
  const { layer, task, index } = around;
  const parts = sequence(task.steps).map((sequenced): StepParts => {
    const of = { task: index, step: sequenced.index };
    const own = layer.stepPlace(of, 'ready');
    const collects = sequenced.needs.map((from) => layer.collectPlace(of, from));
    return { sequenced, ready: [own, ...collects] };
  });
  const steps = parts.map((part) => layStep(around, part, passesOn(parts, part.sequenced, around.worked)));
  return { steps, first: launchedFrom(parts, OPENING) };
}

const launchedFrom = (parts: readonly StepParts[], launcher: number): readonly number[] =>
  parts.flatMap((part) => (part.sequenced.launchedBy === launcher ? part.ready.slice(0, 1) : []));

/** The places a step fills when it is over. */
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
 * Places that hold the moment before step `index`: filling them lets it and all after it run again. It is the cut through
 * the steps before it: what earlier ones have filled and later ones have yet to take.
 */
export function placesBefore(steps: readonly CompiledStep[], index: number): readonly number[] {
  let launchedBy = OPENING;
  return steps.flatMap(({ step, index: at, needs, ready }) => {
    const fillers = [launchedBy, ...needs];
    if (!step.async) launchedBy = at;
    return at < index ? [] : ready.filter((_, place) => (fillers[place] ?? OPENING) < index);
  });
}

function layStep(around: Around, { sequenced, ready }: StepParts, next: readonly number[]): CompiledStep {
  const { step, index, needs, named, collectors } = sequenced;
  const add = adder(around, sequenced);
  const deeds = noDeeds(add('drop', { takes: ready, gives: next }));
  if (step.type === 'join') {
    deeds.join = add('join', { takes: ready, gives: next });
    return {
      step,
      task: around.index,
      index,
      needs,
      named,
      collectors,
      ready,
      working: undefined,
      asking: undefined,
      deeds,
    };
  }
  const place = (stage: 'working' | 'asking'): number =>
    around.layer.stepPlace({ task: around.index, step: index }, stage);
  const working = place('working');
  const held = around.resources.heldBy(around.index, step.pools);
  deeds.claim = add('claim', {
    takes: [...ready, ...held],
    gives: [working],
    reads: around.resources.switchesOf(step.pools),
  });
  deeds.end = add('end', { takes: [working], gives: [...next, ...held] });
  deeds.return = add('return', { takes: [working], gives: [...ready, ...held] });
  deeds.condemn = add('condemn', { takes: [working], gives: [working] });
  // A command spends nothing, so there is nothing to reserve more of.
  if (step.type === 'prompt') deeds.raise = add('raise', { takes: [working], gives: [working] });
  const asking = mayAsk(step) ? place('asking') : undefined;
  if (asking !== undefined) {
    deeds.ask = add('ask', { takes: [working], gives: [asking, ...held] });
    deeds.answer = add('answer', { takes: [asking], gives: next });
    deeds.retry = add('retry', { takes: [asking], gives: ready });
  }
  return { step, task: around.index, index, needs, named, collectors, ready, working, asking, deeds };
}

/** Deeds that are being laid, changed in place by this file alone. */
type DeedsDraft = { -readonly [Deed in keyof StepDeeds]: StepDeeds[Deed] };

const noDeeds = (drop: number): DeedsDraft => ({
  drop,
  claim: undefined,
  end: undefined,
  return: undefined,
  condemn: undefined,
  raise: undefined,
  join: undefined,
  ask: undefined,
  answer: undefined,
  retry: undefined,
});

/** Whether a person may be asked about this step's result. */
const mayAsk = (step: Step): boolean => step.onError === 'gate' || step.onResult.some(({ rule }) => rule === 'gate');

const adder = ({ layer, index: task }: Around, { index: step }: SequencedStep) => {
  const of = { task, step };
  return (deed: StepDeed, arcs: ArcsOfTransition): number => layer.stepDeed(of, deed, arcs);
};
