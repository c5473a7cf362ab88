// Plans for tests: texts that are valid, of every shape the language has, and strings that are hard to keep.

import fc from 'fast-check';
import { dump } from 'js-yaml';

type Data = { [key: string]: unknown };

/** Strings that YAML, shells or JavaScript like to turn into something else. None is blank. */
const HOSTILE: readonly string[] = [
  'yes',
  'no',
  'on',
  'off',
  'null',
  '~',
  'Null',
  'true',
  'FALSE',
  '0',
  '1.0',
  '-0',
  '0x1F',
  '0o17',
  '1e3',
  '.inf',
  '.nan',
  '1_000',
  '2024-01-01',
  '12:30:45',
  '2001-12-14t21:59:43.10-05:00',
  '- a',
  '? a',
  ': a',
  'a: b',
  'a:',
  'a #b',
  '#b',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '"',
  "'",
  "it's",
  '"quoted" more',
  "'quoted' more",
  '[a]',
  '{a}',
  '{a: b}',
  ', a',
  'a, b',
  '---',
  '...',
  '--- a',
  'line one\nline two',
  'line one\nline two\n',
  'line\n\n\nline',
  '\nleading',
  'trailing\n\n',
  ' leading space',
  'trailing space ',
  '  two\n indented',
  'a\n  b\n c',
  'tab\there',
  '\ttab first',
  'a\n\tb',
  'cr\rhere',
  'crlf\r\nhere',
  'nel\u0085x',
  'ls\u2028x',
  'bom\uFEFFx',
  'ünïcödé',
  '日本語',
  '🧵 emoji',
  'a\u0007bell',
  'esc\u001B[31m',
  'back\\slash',
  '\\n',
  'nbsp\u00A0x',
  '$40',
  '<<',
  '=',
  'a\n \nb',
  'a\n   ',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  'word '.repeat(60).trim(),
  'multi: \'line\'\n"text" # not a comment\n- item',
];

/** Draws a whole number from 0 to `max`. Texts are made from a tape of numbers, so that shortening it makes plans smaller. */
type Draw = (max: number) => number;

function drawFrom(tape: readonly number[]): Draw {
  let at = 0;
  return (max) => {
    const drawn = tape[at] ?? 0;
    at += 1;
    return drawn % (max + 1);
  };
}

const tapes = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(1_000_000), { maxLength: length, size: 'max' });

/** Text with something in it, as hostile as may be, and without template syntax. */
export function arbitraryText(): fc.Arbitrary<string> {
  return tapes(30).map((tape) => drawText(drawFrom(tape)));
}

/** Texts of valid plans, with subplans, steps, joins, pools, needs of all kinds, gates, loops, copies and budgets. */
export function arbitraryPlanText(): fc.Arbitrary<string> {
  return tapes(600).map((tape) => {
    const draw = drawFrom(tape);
    const style = {
      indent: 2 + draw(2),
      flowLevel: pick(draw, [-1, -1, 3, 5]),
      lineWidth: pick(draw, [80, 40, -1]),
      quoteStyle: pick(draw, ['single', 'double'] as const),
    };
    return dump(drawPlan(draw), { ...style, noRefs: true });
  });
}

interface Drawing {
  readonly draw: Draw;
  /** Tasks that may be needed here, by the name that finds them. */
  readonly before: readonly string[];
  readonly depth: number;
}

const chance = (draw: Draw, percent: number): boolean => draw(99) >= 100 - percent;
const maybe = (draw: Draw, percent: number, make: () => Data): Data => (chance(draw, percent) ? make() : {});

function pick<Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value;
function pick<Value>(draw: Draw, values: readonly Value[]): Value | undefined;
function pick<Value>(draw: Draw, values: readonly Value[]): Value | undefined {
  return values[draw(values.length - 1)];
}

/** At least one of them, in their order. */
function some<Value>(draw: Draw, values: readonly Value[]): Value[] {
  const kept = values.filter(() => chance(draw, 40));
  return kept.length === 0 ? values.slice(0, 1) : kept;
}

function drawText(draw: Draw): string {
  const text = drawAnyText(draw);
  const isPlainText = text.trim() !== '' && !/\{[{%]|[%}]\}|\0|\p{Surrogate}/u.test(text);
  return isPlainText ? text : 'plain';
}

function drawAnyText(draw: Draw): string {
  const kind = draw(9);
  if (kind === 0) return 'Do it.';
  if (kind < 6) return pick(draw, HOSTILE) ?? '';
  if (kind < 8) return Array.from({ length: 1 + draw(2) }, () => pick(draw, HOSTILE)).join('\n');
  const top = pick(draw, [0x7f, 0x24f, 0xffff, 0x1f64f]);
  return Array.from({ length: 1 + draw(12) }, () => String.fromCodePoint(draw(top))).join('');
}

function drawJson(draw: Draw, depth: number): unknown {
  const kind = draw(depth > 0 ? 6 : 4);
  if (kind === 0) return 7;
  if (kind === 1) return null;
  if (kind === 2) return chance(draw, 50);
  if (kind === 3) return drawText(draw);
  if (kind === 4) return pick(draw, [-1.5, 1e21, 3e-9, 9_007_199_254_740_991, 0.1]);
  const children = Array.from({ length: draw(3) }, () => drawJson(draw, depth - 1));
  return kind === 5 ? children : Object.fromEntries(children.map((child) => [drawText(draw), child]));
}

function drawPlan(draw: Draw): Data {
  return {
    heddle: 1,
    ...maybe(draw, 60, () => ({ name: drawText(draw) })),
    ...maybe(draw, 30, () => ({ base: pick(draw, ['main', 'v1.2', 'HEAD~3']) })),
    ...maybe(draw, 30, () => ({ target: pick(draw, ['main', 'release/1.x']) })),
    ...drawSettings(draw),
    ...maybe(draw, 30, () => ({ max_parallel: 1 + draw(31) })),
    ...maybe(draw, 20, () => ({ hosts: { max_parallel: 1 + draw(1023) } })),
    ...maybe(draw, 30, () => ({ budget: { usd: 1_000, ...maybe(draw, 50, () => ({ tokens: '900M' })) } })),
    pools: { coder: { size: 4, when_cut_off: 'continue' }, 'staging-db': 2, 'p.1': { size: 3 } },
    agents: {
      claude: 'claude',
      cheap: {
        use: 'codex',
        pool: 'coder',
        args: [drawText(draw), '--x'],
        reserve: { usd: 0.25 },
        ...maybe(draw, 20, () => drawLabels(draw)),
      },
      own: {
        use: 'command',
        command: './agent.sh',
        ...maybe(draw, 50, () => ({ model: drawText(draw) })),
        ...maybe(draw, 50, () => ({ env: pick(draw, [['MY_KEY', 'CI'], { A_KEY: '${MY_KEY}', B: drawText(draw) }]) })),
      },
    },
    ...maybe(draw, 40, () => ({ sandbox: drawSandbox(draw) })),
    inputs: {
      flag: true,
      level: { type: 'number', default: draw(9), description: drawText(draw) },
      data: { type: 'any', default: drawJson(draw, 2) },
      asked: null,
    },
    ...maybe(draw, 40, () => ({ env: ['CI', 'HOME'] })),
    tasks: drawTasks({ draw, before: [], depth: 0 }),
  };
}

function drawSettings(draw: Draw): Data {
  return {
    ...maybe(draw, 20, () => ({ failure_mode: pick(draw, ['continue_on_error', 'fail_fast']) })),
    ...maybe(draw, 20, () => ({ attempts: 1 + draw(4) })),
    ...maybe(draw, 20, () => ({ timeout: pick(draw, ['45m', '1h30m', '90s', '1500ms', '2d']) })),
    ...maybe(draw, 10, () => ({ idle_timeout: pick(draw, ['5m', '30s']) })),
    ...maybe(draw, 20, () => ({ agent: pick(draw, ['claude', 'cheap', 'own']) })),
    ...maybe(draw, 15, () => ({
      merge: { order: pick(draw, ['plan', 'completion']), check: 'npm test', conflict_attempts: draw(3) },
    })),
  };
}

const drawLabels = (draw: Draw): Data => ({ on: pick<unknown>(draw, ['gpu', ['linux'], ['gpu', 'linux-x64', '1']]) });

function drawSandbox(draw: Draw): Data {
  return {
    ...maybe(draw, 50, () => ({ include: ['.env', drawText(draw)] })),
    ...maybe(draw, 50, () => ({ setup: 'npm ci' })),
    ...maybe(draw, 50, () => ({ link: ['node_modules'] })),
    ...maybe(draw, 50, () => ({ ports: draw(4) })),
    ...maybe(draw, 50, () => ({ tree: pick(draw, ['auto', 'overlay', 'snapshot', 'checkout']) })),
    ...maybe(draw, 50, () => ({ isolation: pick(draw, ['auto', 'none']) })),
    ...maybe(draw, 50, () => ({ network: pick(draw, [[], 'all', 'none', ['api.example.com', '*.example.com:443']]) })),
    ...maybe(draw, 50, () => ({ limits: { disk: '5G', memory: 700_000_000, processes: 64 } })),
  };
}

const IDS = ['api', 'types', 'fix-1', '1', 'x_y', 'docs', 'yes', 'null', 'ship'];

function drawTasks(around: Drawing): Data {
  const { draw, depth } = around;
  const ids = some(draw, IDS).slice(0, depth === 0 ? 6 : 3);
  const tasks: Data = {};
  // A name of a sibling hides the same name further out, so what is hidden here cannot be needed here.
  const outer = around.before.filter((name) => !ids.includes(name.split('.', 1)[0] ?? ''));
  const before: string[] = [];
  for (const id of ids) {
    tasks[id] = drawTask({ draw, before: [...outer, ...before], depth });
    before.push(id);
  }
  return tasks;
}

function drawTask(around: Drawing): Data {
  const { draw, before, depth } = around;
  const base: Data = {
    ...maybe(draw, 60, () => (before.length === 0 ? {} : { needs: drawNeeds(draw, before) })),
    ...maybe(draw, 20, () => ({ when: pick(draw, ['inputs.flag', 'inputs.level > 3.0', true]) })),
    ...maybe(draw, 20, () => ({ description: drawText(draw) })),
    ...maybe(draw, 15, () => ({ max_parallel: 1 + draw(7) })),
    ...maybe(draw, 15, () => ({ budget: { usd: 900 } })),
    ...maybe(draw, 20, () => ({ estimate: pick(draw, ['10m', '1h', '30s']) })),
    ...maybe(draw, 15, () => drawLabels(draw)),
    ...drawSettings(draw),
  };
  const kinds = [
    'prompt',
    'run',
    'steps',
    ...(before.length > 0 ? ['join'] : []),
    'gate',
    ...(depth < 3 ? ['tasks', 'for_each', 'grow'] : []),
  ];
  const kind = pick(draw, kinds) ?? 'prompt';
  if (kind === 'tasks') return { ...base, tasks: drawTasks({ draw, before, depth: depth + 1 }) };
  if (kind === 'for_each') return { ...base, for_each: drawForEach({ draw, before, depth: depth + 1 }) };
  if (kind === 'grow') return { ...base, ...drawGrow(draw) };
  // Neither asks an agent.
  const { agent: _, on: _labels, ...plain } = base;
  if (kind === 'gate') return { ...plain, gate: drawText(draw) };
  if (kind === 'join') return { ...plain, needs: some(draw, before), ...drawJoin(draw) };
  const work = kind === 'steps' ? { steps: drawSteps(draw) } : drawSingle(draw, kind);
  return withTurns(draw, { ...base, ...drawWork(draw), ...work });
}

/** A review or agents of one attempt after the other, where the task has a turn for them. */
function withTurns(draw: Draw, task: Data): Data {
  const steps: readonly Data[] = Array.isArray(task['steps']) ? task['steps'] : [task];
  const isTurn = (step: Data): boolean => step['prompt'] !== undefined && step['read_only'] !== true;
  if (!steps.some((step) => isTurn(step) && (step === task || step['agent'] === undefined))) return task;
  // A review is a loop of its own, and escalation begins with the agent of the task.
  const { agent: _agent, ...rest } = task;
  const escalated = { ...rest, escalate: ['cheap', 'claude', 'own'] };
  const fallbacks = maybe(draw, 50, () => ({ agent: ['cheap', 'own'] }));
  const made = chance(draw, 20) ? { ...escalated, ...fallbacks, attempts: 3 } : task;
  if (!chance(draw, 20)) return made;
  const { repeat: _repeat, ...once }: Data = made;
  const review = {
    agent: pick<unknown>(draw, ['own', ['claude', 'cheap']]),
    ...maybe(draw, 50, () => ({ rounds: 1 + draw(9) })),
    ...maybe(draw, 50, () => ({ blocks: pick(draw, [['low', 'high'], ['medium']]) })),
    ...maybe(draw, 50, () => ({ prompt: drawPrompt(draw) })),
  };
  return { ...once, review };
}

function drawGrow(draw: Draw): Data {
  const writer = chance(draw, 60) ? { prompt: drawPrompt(draw) } : { run: 'make tasks' };
  return {
    ...maybe(draw, 40, () => ({ files: ['src/types/**', drawText(draw)] })),
    ...maybe(draw, 20, () => ({ reserve: { usd: 2 } })),
    grow: {
      ...writer,
      max_tasks: 1 + draw(40),
      ...maybe(draw, 30, () => ({ depth: 1 + draw(3) })),
      ...maybe(draw, 30, () => ({ rounds: 1 + draw(5) })),
      ...maybe(draw, 40, () => ({ confirm: pick(draw, ['gate', 'none']) })),
      ...maybe(draw, 30, () => ({ agents: pick<unknown>(draw, ['cheap', ['claude', 'cheap']]) })),
      ...maybe(draw, 30, () => ({ pools: ['coder'] })),
    },
  };
}

/** Only a join that waits for all of its needs can be tried again. */
function drawJoin(draw: Draw): Data {
  const isPatient = chance(draw, 30);
  const join = isPatient ? { on_error: 'wait_for_all' } : pick(draw, [true, null, {}]);
  const rules = ['abort', 'continue', 'gate', ...(isPatient ? ['retry'] : [])];
  const rule = () => ({ if: pick(draw, ['ok', 'result.ok && inputs.flag', true]), do: pick(draw, rules) });
  return { join, ...maybe(draw, 40, () => ({ on_result: Array.from({ length: 1 + draw(2) }, rule) })) };
}

function drawNeeds(draw: Draw, before: readonly string[]): unknown {
  const of = some(draw, before);
  const count = 1 + draw(of.length - 1);
  return pick(draw, [of[0], of, { all: of }, { any: of }, { race: of }, { at_least: count, of }]);
}

function drawForEach(around: Drawing): Data {
  const { draw } = around;
  const isKnown = chance(draw, 60);
  const items = Array.from({ length: 1 + draw(2) }, () => drawJson(draw, 1));
  return {
    in: isKnown ? items : '["a", "b"]',
    ...(isKnown ? maybe(draw, 30, () => ({ max: items.length + draw(3) })) : { max: 1 + draw(3) }),
    ...maybe(draw, 40, () => ({ as: 'thing' })),
    task: drawTask({ ...around, before: [] }),
  };
}

function drawWork(draw: Draw): Data {
  return {
    ...maybe(draw, 20, () => ({ files: ['src/types/**', drawText(draw)] })),
    ...maybe(draw, 20, () => ({ check: 'npm run typecheck' })),
    ...maybe(draw, 15, () => ({ repeat: { until: 'inputs.flag', max: 1 + draw(4) } })),
    ...maybe(draw, 15, () => ({ pool: 'staging-db' })),
    ...maybe(draw, 15, () => ({
      pools: pick<unknown>(draw, [['coder', 'p.1'], { coder: 2 }, { 'p.1': 3, coder: 1 }]),
    })),
    ...maybe(draw, 15, () => ({
      reserve: pick(draw, [{ usd: 1 }, { tokens: '20k' }, { usd: '$2.50', tokens: 1000 }]),
    })),
  };
}

function drawSingle(draw: Draw, kind: string): Data {
  return {
    [kind]: kind === 'prompt' ? drawPrompt(draw) : pick(draw, ['npm test', 'make -j2', 'echo "a: b"']),
    ...(kind === 'prompt' ? maybe(draw, 10, () => ({ read_only: true })) : {}),
    ...maybe(draw, 15, () => ({ on_error: pick(draw, ['abort', 'continue', 'retry', 'gate']) })),
    ...maybe(draw, 20, () => ({ output: { type: 'object', properties: { score: { type: 'number' } } } })),
  };
}

function drawPrompt(draw: Draw): string {
  const text = drawText(draw);
  return chance(draw, 20) ? `${text}\n{{ inputs.level }}` : text;
}

/** Every async step is collected by the step after it, which is a join or a command. */
function drawSteps(draw: Draw): Data[] {
  const steps: Data[] = [];
  const length = 1 + draw(3);
  for (let index = 0; index < length; index += 1) {
    const id = `s${index}`;
    if (chance(draw, 30)) {
      steps.push({ id, async: true, resume: pick(draw, ['fork', false]), agent: 'claude', prompt: drawPrompt(draw) });
      const collector = chance(draw, 50)
        ? { action: 'join', ...maybe(draw, 50, () => ({ on_error: 'wait_for_all' })) }
        : { run: 'npm test' };
      steps.push({ id: `c${index}`, needs: [id], ...collector });
    } else {
      steps.push({
        ...maybe(draw, 70, () => ({ id })),
        ...(chance(draw, 60)
          ? {
              prompt: drawPrompt(draw),
              ...maybe(draw, 30, () => ({ agent: pick(draw, ['claude', 'cheap']) })),
              ...maybe(draw, 10, () => ({ read_only: true })),
            }
          : { run: 'npm test' }),
        ...maybe(draw, 15, () => ({ attempts: 1 + draw(3) })),
        ...maybe(draw, 15, () => ({ timeout: '7m' })),
        ...maybe(draw, 15, () => ({ pools: { coder: 2 } })),
        ...maybe(draw, 15, () => ({ reserve: { usd: 2 } })),
        ...maybe(draw, 15, () => ({ when: 'inputs.flag' })),
        ...maybe(draw, 15, () => ({ estimate: '3m' })),
        ...maybe(draw, 10, () => drawLabels(draw)),
      });
    }
  }
  // A fork needs a conversation of the same agent to branch off.
  const begins = steps.findIndex(({ agent }) => agent === 'claude');
  return steps.map((step, index) => (index <= begins && step['resume'] === 'fork' ? { ...step, resume: false } : step));
}
