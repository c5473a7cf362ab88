// Random plans as text, from a seed: every kind of task, need, step, pool, cap, budget and rule.
import { chance, type Chance } from '../../src/core/schedule/chance.ts';

export interface PlanKind {
  /** Leaves out everything that depends on time: races, any, at least, fail_fast, budgets. */
  readonly isTimeless: boolean;
  readonly tasksMax: number;
  /** Some tasks grow. */
  readonly grows?: boolean;
  /** The tasks are a fragment. */
  readonly isFragment?: boolean;
}

interface Drawing {
  readonly random: Chance;
  /** The agents of prompts are drawn separately, so that everything else stays the same. */
  readonly hands: Chance;
  /** Escalation, feedback and read-only turns, separately for the same reason. */
  readonly turns: Chance;
  readonly kind: PlanKind;
  /** Growth is drawn separately, so that plans without it stay the same. */
  readonly growing: Chance;
  left: number;
}

export function randomPlanText(seed: number, kind: PlanKind): string {
  const random = chance(seed);
  const drawing: Drawing = {
    random,
    hands: chance(seed + 2),
    turns: chance(seed + 5),
    growing: chance(seed + 6),
    kind,
    left: 1 + random.below(kind.tasksMax),
  };
  const text = tasksText(drawing, { indent: '  ', depth: 0, prefix: 't' });
  const atCeiling = chance(seed + 4).happens(0.5) ? ', at_ceiling: stop' : '';
  const budget =
    !kind.isTimeless && random.happens(0.3) ? `budget: { usd: ${(1 + random.below(6)) / 2}${atCeiling} }` : '';
  const isInPlace = random.happens(0.5);
  const tasks = isInPlace ? withoutReadOnly(text) : text;
  return [
    'heddle: 1',
    'name: random',
    isInPlace ? 'sandbox: { tree: none }' : '',
    `max_parallel: ${1 + random.below(5)}`,
    `attempts: ${1 + random.below(3)}`,
    failureMode(drawing),
    budget,
    `merge: { ${mergeText(seed, random.happens(0.3) ? 'plan' : 'completion')} }`,
    'pools: { ci: 2, gpu: 3 }',
    permissionsText(seed),
    `agents: { ${agentTexts(kind).join(', ')} }`,
    agentsLine(drawing)[0] ?? 'agent: ai',
    'inputs: { yes: { type: boolean, default: true }, no: { type: boolean, default: false }, items: { type: list } }',
    'tasks:',
    tasks,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Where tasks work in place, nothing could be thrown away. */
export const withoutReadOnly = (text: string): string => text.replaceAll(/\n +read_only: true$/gm, '');

/** Three agents: in the pool of most prompts, in a pool that steps hold too, and of another kind without a pool. */
function agentTexts({ isTimeless }: PlanKind): readonly string[] {
  const reserve = 'reserve: { usd: 0.3, tokens: 10 }';
  const first = `ai: { use: scripted, pool: ci, ${reserve} }`;
  const others = [`bo: { use: scripted, pool: gpu, ${reserve} }`, `cy: { use: acp, command: c, ${reserve} }`];
  return isTimeless ? [first] : [first, ...others];
}

/** Fallbacks between agents depend on time too. */
function agentsLine({ hands, kind }: Drawing): readonly string[] {
  if (kind.isTimeless || hands.happens(0.6)) return [];
  const left = ['ai', 'bo', 'cy'];
  const length = hands.happens(0.2) ? 1 : 2 + hands.below(2);
  const list = Array.from({ length }, () => left.splice(hands.below(left.length), 1)[0] ?? '');
  return [`agent: [${list.join(', ')}]`];
}

/** Drawn separately, so that later draws stay the same. */
function mergeText(seed: number, order: string): string {
  const random = chance(seed + 1);
  const onConflict = random.happens(0.2) ? 'stop' : 'agent';
  const check = random.happens(0.5) ? ', check: z' : '';
  return `order: ${order}, on_conflict: ${onConflict}, conflict_attempts: ${random.below(4)}${check}`;
}

/** Drawn separately too. */
function permissionsText(seed: number): string {
  const random = chance(seed + 3);
  if (random.happens(0.5)) return '';
  return random.happens(0.8) ? 'permissions: { policy: gate, timeout: 2h }' : 'permissions: { allow: [edit] }';
}

const failureMode = ({ random, kind }: Drawing): string =>
  !kind.isTimeless && random.happens(0.3) ? 'failure_mode: fail_fast' : '';

interface Level {
  readonly indent: string;
  readonly depth: number;
  readonly prefix: string;
}

function tasksText(drawing: Drawing, { indent, depth, prefix }: Level): string {
  const { random } = drawing;
  const count = Math.max(1, Math.min(drawing.left, 1 + random.below(depth === 0 ? 10 : 5)));
  drawing.left -= count;
  const ids: string[] = [];
  const texts = Array.from({ length: count }, (_, index) => {
    const id = `${prefix}${index}`;
    const text = taskText(drawing, { indent: `${indent}  `, depth, prefix: `${id}_` }, ids);
    ids.push(id);
    return `${indent}${id}:\n${text}`;
  });
  return texts.join('\n');
}

function taskText(drawing: Drawing, level: Level, before: readonly string[]): string {
  const { random } = drawing;
  const needs = needLines(drawing, before);
  const lines = [...needs, ...whenLines(drawing, needs.length > 0)];
  const canJoin = lines.some((line) => line.startsWith('needs'));
  const draw = random.below(12);
  const body = (() => {
    if (drawing.kind.grows === true && drawing.growing.happens(0.3)) return growLines(drawing);
    if (draw < 3 && level.depth < 3 && drawing.left > 0) return subplanLines(drawing, level);
    if (draw === 3 && canJoin) return joinLines(drawing, needs);
    if (draw === 4) return ['gate: Go on?'];
    if (draw === 5) return forEachLines(drawing);
    if (draw < 9) return stepsLines(drawing);
    return singleLines(drawing);
  })();
  return [...lines, ...body].map((line) => `${level.indent}${line}`).join('\n');
}

function growLines({ growing: random, kind }: Drawing): readonly string[] {
  const writes = random.happens(0.7) ? 'prompt: Write tasks.' : 'run: x';
  // What grows in a fragment counts against the limits around it, and inherits them where it says nothing.
  if (kind.isFragment === true) return [`grow: { ${writes}, max_tasks: ${1 + random.below(3)}, depth: 1 }`];
  const rules = [
    writes,
    `max_tasks: ${1 + random.below(14)}`,
    `depth: ${1 + random.below(2)}`,
    `rounds: ${1 + random.below(3)}`,
    ...(random.happens(0.3) ? ['confirm: gate'] : []),
    ...(random.happens(0.8) ? ['pools: [gpu, ci]'] : []),
    ...(kind.isTimeless || random.happens(0.2) ? [] : ['agents: [ai, bo, cy]']),
  ];
  return [
    ...(random.happens(0.3) ? [`max_parallel: ${1 + random.below(3)}`] : []),
    ...(kind.isTimeless || random.happens(0.7) ? [] : ['failure_mode: fail_fast']),
    ...(kind.isTimeless || random.happens(0.7) ? [] : [`budget: { usd: ${1 + random.below(3)} }`]),
    `grow: { ${rules.join(', ')} }`,
  ];
}

/** What an agent answers when it is asked for tasks: mostly a fragment, at times one that is refused. */
export function randomFragmentText(seed: number, kind: PlanKind): string {
  const random = chance(seed);
  if (random.happens(0.1))
    return ['', 'I would begin with the tests.', 'tasks: {}', 'tasks: [a]'][random.below(4)] ?? '';
  const drawing: Drawing = {
    random,
    hands: chance(seed + 2),
    turns: chance(seed + 5),
    growing: chance(seed + 6),
    kind: { ...kind, grows: random.happens(0.6), isFragment: true },
    left: 1 + random.below(8),
  };
  return `tasks:\n${tasksText(drawing, { indent: '  ', depth: 1, prefix: 'g' })}`;
}

function needLines({ random, kind }: Drawing, before: readonly string[]): readonly string[] {
  const of = before.filter(() => random.happens(0.5));
  if (of.length === 0) return [];
  const list = `[${of.join(', ')}]`;
  switch (kind.isTimeless ? 0 : random.below(6)) {
    case 0:
    case 1:
    case 2:
      return [`needs: ${list}`];
    case 3:
      return [`needs: { any: ${list} }`];
    case 4:
      return [`needs: { at_least: ${1 + random.below(of.length)}, of: ${list} }`];
    default:
      return [`needs: { race: ${list} }`];
  }
}

/** Lists of two, known before the run or read during it, the latter at times longer than is allowed. */
function forEachLines(drawing: Drawing): readonly string[] {
  const { random, growing, kind } = drawing;
  const list = random.happens(0.5) ? 'in: [a, b]' : `in: inputs.items, max: ${1 + random.below(3)}`;
  const grows = kind.grows === true && kind.isFragment !== true && growing.happens(0.5);
  return [`for_each: { ${list}, task: { ${grows ? growLines(drawing).join(', ') : 'run: x'} } }`];
}

function whenLines({ random }: Drawing, hasNeeds: boolean): readonly string[] {
  if (random.happens(0.8)) return [];
  if (hasNeeds && random.happens(0.2)) return ['when: inputs.items[7] == "beyond the end"'];
  return [`when: inputs.${random.happens(0.7) ? 'yes' : 'no'}`];
}

const joinRule = ({ random, kind }: Drawing): string =>
  kind.isTimeless || random.happens(0.5) ? 'wait_for_all' : 'fail_fast';

function subplanLines(drawing: Drawing, { indent, depth, prefix }: Level): readonly string[] {
  const { random, kind } = drawing;
  return [
    ...(random.happens(0.4) ? [`max_parallel: ${1 + random.below(3)}`] : []),
    ...(failureMode(drawing) === '' ? [] : [failureMode(drawing)]).filter((line) => line !== ''),
    ...(!kind.isTimeless && random.happens(0.2) ? ['budget: { usd: 1 }'] : []),
    'tasks:',
    tasksText(drawing, { indent: '  ', depth: depth + 1, prefix })
      .split('\n')
      .join(`\n${indent}`),
  ];
}

function poolsLine({ random }: Drawing): readonly string[] {
  if (random.happens(0.6)) return [];
  return [`pools: { gpu: ${1 + random.below(3)} }`];
}

function workLines(drawing: Drawing): readonly string[] {
  return drawing.random.happens(0.5) ? ['prompt: x', ...escalateLines(drawing, agentsLine(drawing))] : ['run: x'];
}

/** Agents of one attempt after the other, at times with others that take over. */
function escalateLines({ turns, kind }: Drawing, agents: readonly string[]): readonly string[] {
  if (kind.isTimeless || turns.happens(0.7)) return agents;
  const list = turns.happens(0.5) ? ['ai', 'bo', 'cy'] : ['bo', 'cy'];
  return [
    ...(turns.happens(0.5) ? [`agent: [${list[0]}, ai]`.replace('[ai, ai]', '[ai, cy]')] : []),
    `escalate: [${list.join(', ')}]`,
  ];
}

function singleLines(drawing: Drawing): readonly string[] {
  const { random } = drawing;
  return [
    ...workLines(drawing),
    ...poolsLine(drawing),
    ...(random.happens(0.3) ? ['check: y'] : []),
    ...onErrorLines(drawing, 0.3),
  ];
}

function onErrorLines({ random }: Drawing, share: number): readonly string[] {
  if (!random.happens(share)) return [];
  return [`on_error: ${['continue', 'gate', 'retry', 'abort'][random.below(4)] ?? 'abort'}`];
}

const RULES = ['abort', 'continue', 'gate', 'retry', 'retry'];

/** A condition over an attempt would need a value that changes, so a join that is tried again is so to its last attempt. */
function joinResultLines({ random }: Drawing, share: number): readonly string[] {
  if (!random.happens(share)) return [];
  const rule = RULES[random.below(RULES.length)] ?? 'abort';
  return [`on_result: [{ if: inputs.${random.happens(0.6) ? 'yes' : 'no'}, do: ${rule} }]`];
}

/** A join task is tried again only where it waits for all of its needs. */
function joinLines(drawing: Drawing, needs: readonly string[]): readonly string[] {
  const rule = joinRule(drawing);
  const waits = rule === 'wait_for_all' && needs.some((line) => line.startsWith('needs: ['));
  const retries = waits && drawing.random.happens(0.6) ? ['on_result: [{ if: inputs.yes, do: retry }]'] : undefined;
  const rules = retries ?? joinResultLines(drawing, 0.5).filter((line) => waits || !line.includes('do: retry'));
  return [`join: { on_error: ${rule} }`, ...rules];
}

function stepsLines(drawing: Drawing): readonly string[] {
  const { random } = drawing;
  const count = 1 + random.below(4);
  const open: string[] = [];
  const lines: string[] = ['steps:'];
  let hasOwnTurn = false;
  for (let index = 0; index < count; index += 1) {
    const isLast = index === count - 1;
    const isAsync = !isLast && random.happens(0.5);
    const collected = isAsync ? [] : open.splice(0);
    const isJoin = collected.length > 0 && random.happens(0.6);
    const work = isJoin ? ['action: join', `on_error: ${joinRule(drawing)}`] : workLines(drawing);
    const isTurn = work[0] === 'prompt: x';
    const isReadOnly = isTurn && !isAsync && open.length === 0 && drawing.turns.happens(0.25);
    hasOwnTurn ||= isTurn && !isReadOnly;
    const step = [
      `id: s${index}`,
      ...work,
      ...(isReadOnly ? ['read_only: true'] : []),
      ...(isAsync ? ['async: true'] : []),
      ...(collected.length > 0 ? [`needs: [${collected.join(', ')}]`] : []),
      ...(random.happens(0.15) ? [`when: inputs.${random.happens(0.5) ? 'yes' : 'no'}`] : []),
      ...(isJoin ? joinResultLines(drawing, 0.3) : [...onErrorLines(drawing, 0.3), ...poolsLine(drawing)]),
      ...(!isJoin && random.happens(0.1) ? ['on_result: [{ if: "!ok", do: continue }]'] : []),
    ];
    lines.push(...step.map((line, at) => `  ${at === 0 ? '-' : ' '} ${line}`));
    if (isAsync) open.push(`s${index}`);
  }
  const feedback = hasOwnTurn && drawing.turns.happens(0.5) ? `, feedback: "Not ok: {{ steps.s${count - 1}.ok }}"` : '';
  if (random.happens(0.3))
    lines.push(`repeat: { until: steps.s${count - 1}.ok, max: ${1 + random.below(3)}${feedback} }`);
  if (random.happens(0.3)) lines.push('check: y');
  // As much as any of its steps takes of the pool.
  if (random.happens(0.2)) lines.push('hold: { gpu: 3 }');
  return lines;
}
