// The numbers of runs in the text format of Prometheus. Units are base units, names end in them, and counters in `_total`.
import { BUCKETS_SECONDS, type Histogram, type RunMetrics } from './run-metrics.ts';

type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** After the name of the metric: `_bucket`, `_sum`, `_count`, or nothing. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly samples: (run: RunMetrics) => readonly Sample[];
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const one = (value: number, labels: Labels = {}): Sample => ({ labels, value });
const some = (value: number | undefined, labels: Labels = {}): readonly Sample[] =>
  value === undefined ? [] : [one(value, labels)];

/** Every stage of a run has a sample, so that a query for one of them finds it whenever. */
const RUN_STAGES = ['new', 'going', 'paused', 'ended'] as const;

const METRICS: readonly Metric[] = [
  {
    name: 'heddle_run_stage',
    type: 'gauge',
    help: '1 for the stage that the run is in.',
    samples: ({ stage, plan }) => RUN_STAGES.map((each) => one(each === stage ? 1 : 0, { plan, stage: each })),
  },
  {
    name: 'heddle_run_coordinator_up',
    type: 'gauge',
    help: 'Whether a coordinator of the run is alive.',
    samples: ({ isUp }) => [one(isUp ? 1 : 0)],
  },
  {
    name: 'heddle_tasks',
    type: 'gauge',
    help: 'Tasks by stage; after the end, by ending.',
    samples: ({ tasks }) => [...tasks].map(([stage, count]) => one(count, { stage })),
  },
  {
    name: 'heddle_steps_running',
    type: 'gauge',
    help: 'Steps that run now.',
    samples: ({ running }) => [one(running)],
  },
  {
    name: 'heddle_steps_limit',
    type: 'gauge',
    help: 'The most steps that run at once.',
    samples: ({ cap }) => [one(cap)],
  },
  {
    name: 'heddle_claims_total',
    type: 'counter',
    help: 'Attempts at steps, checks, merges and resolutions that are over, by result and reason.',
    samples: ({ claims }) =>
      [...claims.values()].map(({ work, result, reason, count }) => one(count, { work, result, reason })),
  },
  {
    name: 'heddle_spent_usd_total',
    type: 'counter',
    help: 'US dollars spent; a cost that an agent did not report counts as its reservation.',
    samples: ({ spend }) => [one(spend.spent.usd)],
  },
  {
    name: 'heddle_spent_tokens_total',
    type: 'counter',
    help: 'Tokens spent.',
    samples: ({ spend }) => [one(spend.spent.tokens)],
  },
  {
    name: 'heddle_reserved_usd',
    type: 'gauge',
    help: 'US dollars reserved for what runs now.',
    samples: ({ spend }) => [one(spend.reserved.usd)],
  },
  {
    name: 'heddle_reserved_tokens',
    type: 'gauge',
    help: 'Tokens reserved for what runs now.',
    samples: ({ spend }) => [one(spend.reserved.tokens)],
  },
  {
    name: 'heddle_budget_usd',
    type: 'gauge',
    help: 'The ceiling of the run in US dollars, where it has one.',
    samples: ({ spend }) => some(spend.ceiling.usd),
  },
  {
    name: 'heddle_budget_tokens',
    type: 'gauge',
    help: 'The ceiling of the run in tokens, where it has one.',
    samples: ({ spend }) => some(spend.ceiling.tokens),
  },
  {
    name: 'heddle_pool_size',
    type: 'gauge',
    help: 'Tokens of a pool.',
    samples: ({ pools }) => pools.map(({ name: pool, size }) => one(size, { pool })),
  },
  {
    name: 'heddle_pool_held',
    type: 'gauge',
    help: 'Tokens of a pool that are held now.',
    samples: ({ pools }) => pools.map(({ name: pool, held }) => one(held, { pool })),
  },
  {
    name: 'heddle_pool_limit',
    type: 'gauge',
    help: 'The effective limit of a pool: its size, fewer while its provider is overloaded, 0 while its quota is used up.',
    samples: ({ pools }) =>
      pools.map(({ name: pool, size, effectiveLimit, closedUntil }) =>
        one(closedUntil === undefined ? (effectiveLimit ?? size) : 0, { pool }),
      ),
  },
  {
    name: 'heddle_merge_queue_length',
    type: 'gauge',
    help: 'Tasks in the merge queue, those that are being merged included.',
    samples: ({ mergeQueue }) => [one(mergeQueue.length)],
  },
  {
    name: 'heddle_merges_running',
    type: 'gauge',
    help: 'Tasks that are being merged.',
    samples: ({ mergeQueue }) => [one(mergeQueue.merging)],
  },
  {
    name: 'heddle_questions_open',
    type: 'gauge',
    help: 'Questions that wait for a person.',
    samples: ({ questions }) => [one(questions)],
  },
  {
    name: 'heddle_queue_wait_seconds',
    type: 'histogram',
    help: 'How long work waited before it was claimed, backoff included.',
    samples: ({ waits }) => histogramsOf(waits),
  },
  {
    name: 'heddle_claim_duration_seconds',
    type: 'histogram',
    help: 'How long attempts took.',
    samples: ({ durations }) => histogramsOf(durations),
  },
];

function histogramsOf(histograms: ReadonlyMap<string, Histogram>): readonly Sample[] {
  return [...histograms].flatMap(([work, { counts, sum }]) => {
    let total = 0;
    const buckets = counts.map((count, index): Sample => {
      total += count;
      const bound = BUCKETS_SECONDS[index];
      return { suffix: '_bucket', labels: { work, le: bound === undefined ? '+Inf' : String(bound) }, value: total };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels: { work }, value: sum },
      { suffix: '_count', labels: { work }, value: total },
    ];
  });
}

export function prometheusText(runs: readonly RunMetrics[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of METRICS) {
    const written = runs.flatMap((run) =>
      samples(run).map(({ suffix = '', labels, value }) => {
        const all = { project: run.project, run: run.run, ...labels };
        return `${name}${suffix}{${labelsText(all)}} ${value}`;
      }),
    );
    if (written.length > 0) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...written);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
