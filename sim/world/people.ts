// People: they command at odd times while there is a storm, and help the run to its end when it is over.
import type { Command } from '../../src/core/engine/command.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { Chance } from '../../src/core/schedule/chance.ts';
import { amendCommand, planAfter } from '../../test/law/amended-plan.given.ts';
import type { Disk } from './disk.ts';
import type { World } from './world.ts';

export interface People {
  /** Begins to give commands at odd times. */
  readonly begin: () => void;
  /** A run has ended: says whether somebody wants it to be tried again, and has said so. */
  readonly resetEnded: () => boolean;
}

const CARE_EVERY_MS = 15_000;
/** The longest until a coordinator looks for commands. */
const HINT_MS = 600;

export interface Office {
  readonly world: World;
  readonly disk: Disk;
  /** Tells the coordinator, if there is one, that commands may have come. */
  readonly hint: () => void;
}

export function people({ world, disk, hint }: Office): People {
  const random = world.dice.named('people');
  let resets = world.trial.resetsMax;
  const post = (command: Command): void => {
    world.counts.add(`command ${command.type}`);
    world.say(`somebody says ${JSON.stringify(command)}`);
    disk.post(command, world.wall());
    world.timeline.schedule(random.below(HINT_MS), hint);
  };
  const care = (): void => {
    if (world.isCalm() && disk.commands().length === 0)
      for (const command of caring(world.observer.state, random)) post(command);
    if (!world.isCalm() && world.trial.commandsMax > 0)
      for (const command of meddling(world.observer.state, random)) post(command);
    world.timeline.schedule(CARE_EVERY_MS, care);
  };
  return {
    begin: () => {
      for (let left = world.trial.commandsMax; left > 0; left -= 1) {
        world.timeline.schedule(random.below(world.trial.calmAtMs), () => post(draw(world, random)));
      }
      for (let left = world.trial.amendsMax; left > 0; left -= 1) {
        const changes = world.dice.named(`amendment ${left}`);
        world.timeline.schedule(changes.below(world.trial.calmAtMs), () => {
          const command = amendment(world, changes);
          if (command !== undefined) post(command);
        });
      }
      world.timeline.schedule(CARE_EVERY_MS, care);
    },
    resetEnded: () => {
      const isBad = world.observer.state.tasks.some(
        ({ ended }) => ended?.ending === 'failed' || ended?.ending === 'cancelled',
      );
      if (resets === 0 || !isBad) return false;
      resets -= 1;
      const isWhole = random.happens(0.7);
      post(
        isWhole || random.happens(0.5)
          ? { type: 'retry', tasks: isWhole ? [] : [somebody(world, random)] }
          : rollback(world, random),
      );
      return true;
    },
  };
}

/** What would move the run on when only a person can. */
function caring(state: State, random: Chance): readonly Command[] {
  const { compiled, questions, run } = state;
  const answers = [...questions.values()].map(({ task, step, asks, permission }): Command => {
    const asking = compiled.tasks[task];
    const path = asking?.task.path ?? '';
    if (step === undefined && asking?.task.type === 'work')
      return { type: 'merge', task: path, commit: random.happens(0.5) ? 'by hand' : undefined };
    if (step === undefined) return { type: 'approve', task: path, step: undefined };
    const id = asking?.steps[step]?.step.id;
    if (permission !== undefined) return { type: 'answer', task: path, step: id, text: decision(random) };
    if (asks !== undefined) return { type: 'answer', task: path, step: id, text: 'That one.' };
    // What a step asks may also be answered by trying again; in calm weather that goes well.
    if (random.happens(0.5)) return { type: 'retry', tasks: [path] };
    return { type: 'approve', task: path, step: id };
  });
  return run.stage === 'paused' || state.deferred.paused.size > 0
    ? [...answers, { type: 'resume', tasks: [] }]
    : answers;
}

const DECISIONS = ['yes', 'no, leave it', 'always'] as const;

const decision = (random: Chance): string => DECISIONS[random.below(DECISIONS.length)] ?? 'no';

/** Turns on a conflict are rare, so people who see one at work are quick to say something. */
function meddling({ compiled, claims }: State, random: Chance): readonly Command[] {
  const resolve = [...claims.values()].find(({ work }) => work === 'resolve');
  const path = compiled.tasks[resolve?.task ?? -1]?.task.path;
  if (path === undefined || !random.happens(0.3)) return [];
  return [{ type: random.happens(0.3) ? 'cancel' : 'stop', tasks: [path] }];
}

/** What somebody was shown may have been overtaken by the run when it is read. */
function amendment({ observer, trial }: World, random: Chance): Command | undefined {
  const before = planAfter(observer.events(), trial.plan);
  return amendCommand(observer.state, random, { resizes: true, before });
}

const KINDS = ['pause', 'resume', 'stop', 'cancel', 'retry', 'skip', 'approve', 'reject', 'rollback'] as const;

function draw(world: World, random: Chance): Command {
  const type = KINDS[random.below(KINDS.length)] ?? 'pause';
  if (type === 'approve' || type === 'reject') return answerTo(world, random, type);
  if (type === 'rollback') return rollback(world, random);
  // To cancel everything ends the fun, so it is rare.
  const isWhole = random.happens(type === 'cancel' ? 0.05 : type === 'skip' ? 0.02 : 0.4);
  if (isWhole) return { type, tasks: [] };
  return { type, tasks: Array.from({ length: 1 + random.below(2) }, () => somebody(world, random)) };
}

function answerTo({ observer }: World, random: Chance, type: 'approve' | 'reject'): Command {
  const { compiled, questions } = observer.state;
  const asked = [...questions.values()];
  const question = asked[random.below(asked.length)];
  const task =
    question === undefined ? compiled.tasks[random.below(compiled.tasks.length)] : compiled.tasks[question.task];
  const id = question?.step === undefined ? undefined : task?.steps[question.step]?.step.id;
  return { type, task: task?.task.path ?? 'nobody', step: random.happens(0.3) ? undefined : id };
}

function rollback(world: World, random: Chance): Command {
  const task = somebody(world, random);
  const { tasks, indexOf } = world.observer.state.compiled;
  const steps = tasks[indexOf.get(task) ?? -1]?.steps ?? [];
  return { type: 'rollback', task, step: steps[random.below(steps.length)]?.step.id ?? 'none' };
}

function somebody({ observer }: World, random: Chance): string {
  const { compiled } = observer.state;
  if (random.happens(0.05)) return 'nobody';
  return compiled.tasks[random.below(compiled.tasks.length)]?.task.path ?? 'nobody';
}
