// One name that a text reads: does it exist here, and is it certain to have a value in time.

import { FIELDS, writeReference, type Reference } from '../expressions/text-reference.ts';
import { outputSchemaOf } from './joins.ts';
import { quotedList } from './known-names.ts';
import { contains, findTask, type IndexedTask } from './plan-index.ts';
import { checkJoined, checkOutput } from './output-references.ts';
import {
  itemNamesAround,
  resolveTask,
  say,
  type ReadingPlaced,
  type ReadingText,
  type StepsBefore,
} from './scope-of-text.ts';

export function checkReference(reading: ReadingText, reference: Reference): void {
  const { placed, needs } = reading;
  if (itemNamesAround(needs.index, placed.at).includes(reference.root)) return;
  if (placed.hasResult && reference.root === 'result') return checkField(reading, reference, reference.path);
  if (placed.hasResult && FIELDS.includes(reference.root)) return;
  switch (reference.root) {
    case 'inputs':
      return checkInput(reading, reference);
    case 'env':
      return checkEnvironment(reading, reference);
    case 'steps':
      return checkStep(reading, reference);
    case 'tasks':
      return checkTask(reading, reference);
    default:
      return reportUnknownRoot(reading, reference);
  }
}

/** A prompt about workflows or templates of other programs has braces of theirs. */
const BRACES_HINT = ' Braces that are meant as they stand: {% raw %}{{ x }}{% endraw %}.';

function reportUnknownRoot(reading: ReadingText, reference: Reference): void {
  const { placed, names, needs } = reading;
  const own = placed.hasResult ? ['result', ...FIELDS] : [];
  const roots = [
    'inputs',
    'env',
    'tasks',
    ...(placed.steps === undefined ? [] : ['steps']),
    ...itemNamesAround(needs.index, placed.at),
    ...own,
  ];
  const isTask = resolveTask(needs.index, placed.at, [reference.root]) !== undefined;
  const isStep = placed.steps?.order.byId.has(reference.root) === true;
  const meant = names.nearestOf(reference.root, roots);
  const whole = writeReference(reference);
  const better = isStep ? `steps.${whole}` : isTask ? `tasks.${whole}` : undefined;
  const hint = better ?? meant;
  const isText = placed.kind === 'template' || placed.kind === 'command';
  say(reading, {
    code: 'unknown-name',
    message: `\`${whole}\` begins with \`${reference.root}\`, which is nothing that can be read here.`,
    hint:
      hint === undefined
        ? `Names begin with ${quotedList(roots, '')}.${isText ? BRACES_HINT : ''}`
        : `Did you mean \`${hint}\`?`,
  });
}

/** A reference in a text that reads nothing of single tasks. */
export function checkOuterReference(reading: ReadingPlaced, reference: Reference): void {
  if (reference.root === 'inputs') return checkInput(reading, reference);
  if (reference.root === 'env') return checkEnvironment(reading, reference);
  say(reading, {
    code: 'unknown-name',
    message: `\`${writeReference(reference)}\` cannot be read here: the work of many tasks is judged at once.`,
    hint: 'Read inputs.… or env.…, or move it to the check of a task.',
  });
}

function checkInput(reading: ReadingPlaced, reference: Reference): void {
  const known = reading.needs.index.plan.inputs.map((input) => input.name);
  checkMember(reading, reference, { known, noun: 'input', add: 'Add it under inputs:' });
}

function checkEnvironment(reading: ReadingPlaced, reference: Reference): void {
  const known = reading.needs.index.plan.env;
  checkMember(reading, reference, {
    known,
    noun: 'environment variable that this plan may read',
    add: 'Add it to env:',
  });
}

function checkMember(
  reading: ReadingPlaced,
  reference: Reference,
  { known, noun, add }: { readonly known: readonly string[]; readonly noun: string; readonly add: string },
): void {
  const [name] = reference.path;
  if (name === undefined || known.includes(String(name))) return;
  const meant = reading.names.nearestOf(String(name), known);
  say(reading, {
    code: 'unknown-name',
    message: `\`${writeReference(reference)}\` is read, and \`${name}\` is no ${noun}.`,
    hint:
      meant === undefined
        ? `${add}, or read one of ${quotedList(known, 'them once there are some')}.`
        : `Did you mean \`${meant}\`?`,
  });
}

function checkStep(reading: ReadingText, reference: Reference): void {
  const { steps } = reading.placed;
  const [id, ...rest] = reference.path;
  if (id === undefined) return;
  if (steps === undefined) {
    return say(reading, {
      code: 'unknown-name',
      message: `\`${writeReference(reference)}\` is read before any step of \`${reading.placed.at.task.path}\` has run.`,
      hint: 'Read tasks.… of what it needs, or inputs.…, here.',
    });
  }
  const place = steps.order.byId.get(String(id));
  if (place === undefined) return reportUnknownStep(reading, reference, steps);
  // A rule of on_result is read once the step itself has ended.
  const isOwn = reading.placed.hasResult && place === steps.place;
  if (!isOwn && !steps.order.isEnded(place, steps.place)) return reportEarlyStep(reading, reference, { steps, place });
  checkField(reading, reference, rest);
  if (reference.open && rest.length === 0) return;
  checkOutput(reading, reference, {
    rest,
    schema: steps.task.steps[place]?.output,
    giver: { type: 'step', name: String(id) },
  });
}

function reportUnknownStep(reading: ReadingText, reference: Reference, { task }: StepsBefore): void {
  const ids = task.steps.map((step) => step.id);
  const meant = reading.names.nearestOf(String(reference.path[0]), ids);
  const dashed = ids.find((id) => id.startsWith(`${reference.path[0]}-`));
  say(reading, {
    code: 'unknown-name',
    message: `\`${writeReference(reference)}\` is read, and \`${task.path}\` has no step \`${reference.path[0]}\`.`,
    hint:
      dashedHint(reading, 'steps', dashed) ??
      (meant === undefined ? `Its steps are ${quotedList(ids, 'none')}.` : `Did you mean \`${meant}\`?`),
  });
}

/** In an expression a dash is a minus, so an id with one needs brackets. */
function dashedHint({ placed }: ReadingText, root: string, id: string | undefined): string | undefined {
  const isExpression = placed.kind === 'condition' || placed.kind === 'list';
  return isExpression && id !== undefined
    ? `In an expression, write \`${root}["${id}"]\` for an id with a dash.`
    : undefined;
}

function reportEarlyStep(
  reading: ReadingText,
  reference: Reference,
  { steps, place }: { readonly steps: StepsBefore; readonly place: number },
): void {
  const isAsync = place < steps.place;
  const id = steps.task.steps[place]?.id ?? '';
  const here = steps.task.steps[steps.place]?.id;
  const message = isAsync
    ? `\`${writeReference(reference)}\` is read, and the async step \`${id}\` may still be running then.`
    : `\`${writeReference(reference)}\` is read before step \`${id}\` has run.`;
  const hint =
    isAsync && here !== undefined ? `Add needs: [${id}] to step \`${here}\`.` : `Read it in a step after \`${id}\`.`;
  say(reading, { code: 'reference-without-path', message, hint });
}

function checkTask(reading: ReadingText, reference: Reference): void {
  const { placed, needs } = reading;
  if (reference.path.length === 0) return;
  const found = resolveTask(needs.index, placed.at, reference.path);
  if (found === undefined) return reportUnknownTask(reading, reference);
  const { target, rest } = found;
  if (reference.open && rest.length === 0 && target.children.length > 0) return;
  if (needs.certaintyOf(target.index, placed.at.index) === 'no') return reportEarlyTask(reading, reference, target);
  checkField(reading, reference, rest);
  if (reference.open && rest.length === 0) return;
  if (target.task.type === 'subplan' || target.task.type === 'for_each') return;
  if (target.task.type === 'join' && target.task.output !== undefined)
    return checkJoined(reading, reference, { target, rest });
  checkOutput(reading, reference, {
    rest,
    schema: outputSchemaOf(target.task),
    giver: { type: 'task', name: target.task.path },
  });
}

function reportUnknownTask(reading: ReadingText, reference: Reference): void {
  const { index } = reading.needs;
  const name = String(reference.path[0]);
  const top = index.plan.tasks.map((task) => task.id);
  const around = index.tasks[reading.placed.at.parent];
  const siblings = around === undefined ? [] : around.children.map((child) => index.tasks[child]?.task.id ?? '');
  const meant = reading.names.nearestOf(name, [...siblings, ...top]);
  const dashed = [...siblings, ...top].find((id) => id.startsWith(`${name}-`));
  say(reading, {
    code: 'unknown-name',
    message: `\`${writeReference(reference)}\` is read, and there is no task \`${name}\`.`,
    hint:
      dashedHint(reading, 'tasks', dashed) ??
      (meant === undefined ? 'Name a task by its dotted path.' : `Did you mean \`${meant}\`?`),
  });
}

function reportEarlyTask(reading: ReadingText, reference: Reference, target: IndexedTask): void {
  const { placed } = reading;
  const { path, needs } = placed.at.task;
  const name = target.task.path;
  const isInside = contains(target, placed.at) || contains(placed.at, target);
  const isChosen = needs.type !== 'all' && needs.of.some((one) => findTask(reading.needs.index, one) === target);
  const hint = isInside
    ? `Read a task that ends before \`${path}\` starts.`
    : isChosen
      ? `Write needs: { all: [...] }, or join what came.`
      : `Add \`${name}\` to the needs of \`${path}\`.`;
  say(reading, {
    code: 'reference-without-path',
    message: `\`${writeReference(reference)}\` is read, and \`${name}\` is not certain to have ended when \`${path}\` starts.`,
    hint,
  });
}

function checkField(reading: ReadingText, reference: Reference, rest: readonly (string | number)[]): void {
  const [field] = rest;
  if (field === undefined || FIELDS.includes(String(field))) return;
  const meant = reading.names.nearestOf(String(field), FIELDS);
  say(reading, {
    code: 'unknown-field',
    message: `\`${writeReference(reference)}\` reads \`${field}\`, which is no field of a result.`,
    hint: meant === undefined ? `Fields are ${quotedList(FIELDS, '')}.` : `Did you mean \`${meant}\`?`,
  });
}
