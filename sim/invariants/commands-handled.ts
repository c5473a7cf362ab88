// Commands: each is handled once, as soon as the coordinator looks, and does what it says.
import type { Command } from '../../src/core/engine/command.ts';
import { countAt } from '../../src/core/net/play.ts';
import { isInside, isToEnd, type Invariant, type Sight } from './invariant.ts';

export const commandsHandled: Invariant = {
  name: 'commands are handled once',
  watch: (sight, broken) => {
    const held = new Set<string>();
    return {
      handled: (answers) => {
        const ids = new Set(answers.map(({ id }) => id));
        if (ids.size < answers.length) broken('A command is answered twice.');
        for (const { id, reply, command } of answers) {
          if (command === undefined) broken(`Command ${id} is answered, and nobody is waiting for that.`);
          if (reply.notes.length === 0) broken(`Command ${id} is answered with nothing.`);
        }
      },
      before: (event) => {
        if (event.type === 'task.paused') held.add(event.task);
        if (event.type === 'task.released') held.delete(event.task);
        if (event.type === 'plan.amended') for (const task of event.cancelled) held.delete(task);
        if (event.type !== 'claim.made') return;
        if (sight.state().run.stage !== 'going')
          broken(`${event.task} is claimed while the run is ${sight.state().run.stage}.`);
        const holder = [...held].find((name) => isInside(event.task, name));
        if (holder !== undefined) broken(`${event.task} is claimed, though ${holder} is held.`);
        const { amending } = sight.state();
        const waiting = [...(amending?.tasks ?? [])].map((index) => sight.compiled.tasks[index]?.task.path ?? '');
        if (waiting.some((name) => isInside(event.task, name)))
          broken(`${event.task} is claimed, though the plan is about to change under it.`);
      },
      appended: (events, answers) => {
        const [only, ...others] = answers.flatMap(({ command }) => command ?? []);
        // To skip is refused, in words, where that would take the ground from under what has been done.
        const isRefused =
          only?.type === 'skip' && !events.some((event) => 'reason' in event && event.reason === 'skipped');
        if (only !== undefined && others.length === 0 && !isRefused) checkEffect(sight, only, broken);
      },
      waits: (commandsLeft) => {
        if (sight.talk.mayHaveCommands && commandsLeft > 0) broken(`${commandsLeft} commands are left unanswered.`);
      },
    };
  },
};

function checkEffect(sight: Sight, command: Command, broken: (message: string) => never): void {
  if (!('tasks' in command) || command.tasks.some((name) => !sight.compiled.indexOf.has(name))) return;
  const { run, claims, deferred } = sight.state();
  const isWhole = command.tasks.length === 0;
  const meant = [...claims.values()].filter(({ task }) => {
    const path = sight.compiled.tasks[task]?.task.path ?? '';
    return isWhole || command.tasks.some((name) => isInside(path, name));
  });
  switch (command.type) {
    case 'pause':
      if (isWhole && run.stage === 'going') broken('The run was to pause and goes on.');
      return;
    case 'resume':
      if (isWhole && run.stage !== 'ended' && (run.stage === 'paused' || deferred.paused.size > 0))
        broken('The run was to go on and does not.');
      return;
    case 'stop':
      if (isWhole && run.stage === 'going') broken('The run was to stop and goes on.');
      // A merge is short and comes to its end.
      if (meant.some((claim) => claim.work !== 'merge' && !isToEnd(claim))) broken('What was to stop is not told to.');
      return;
    case 'cancel':
    case 'skip':
      if (isWhole && command.type === 'skip') return;
      if (meant.some(({ cancelling }) => cancelling === undefined))
        broken(`What a person said to ${command.type} goes on.`);
      return checkEnding(sight, command, broken);
    case 'retry':
      return;
  }
}

/** What was cancelled or skipped has ended, is being cancelled, or has nothing left that could begin. */
function checkEnding(
  { compiled, state }: Sight,
  { tasks }: { tasks: readonly string[] },
  broken: (message: string) => never,
): void {
  for (const { task, index, steps } of compiled.tasks) {
    const isMeant = tasks.length === 0 || tasks.some((name) => isInside(task.path, name));
    const facts = state().tasks[index];
    if (!isMeant || facts?.ended !== undefined || facts?.cancelling !== undefined) continue;
    if (steps.some(({ ready }) => ready.every((place) => countAt(state().play, place) > 0)))
      broken(`${task.path} was to end, and a step of it may still begin.`);
  }
}
