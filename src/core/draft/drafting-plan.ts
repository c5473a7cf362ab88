// The plan of a drafting: one task in which an agent writes a plan, turn after turn in one conversation.
//
// drafting-plan/D1. A drafting is a run like any other: its turns, costs and limits are in the log, it can be interrupted
//     and goes on, and its budget holds. Each draft waits at a gate: `retry` with a text is the next round, `approve` the
//     end. Nothing is merged from it: the turns of its agent are read-only.
// drafting-plan/D2. What was asked for is an input of the run, so that a drafting can go on from its log alone.
import type { Json } from '../plan/plan.ts';

/** The task and the step in which the agent drafts. */
export const DRAFT_TASK = 'draft';
export const DRAFT_STEP = 'plan';
/** The step that runs the check of the project once, to know whether it passes. */
export const BASELINE_STEP = 'check';

export interface DraftingPlan {
  /** The kind of agent. */
  readonly use: string;
  readonly model: string | undefined;
  readonly args: readonly string[];
  readonly budgetUsd: number;
  /** Of one turn. */
  readonly timeoutMs: number;
  /** Set-up and check, to run once before the first turn; undefined runs nothing. */
  readonly baseline: { readonly setup: string | undefined; readonly check: string } | undefined;
  /** Folders of the checkout to share with the sandbox. */
  readonly link: readonly string[];
}

const BASELINE_LIMIT = '5m';
/** Enough for a turn of a strong model that reads for a while. */
const RESERVE_USD = 1;

/** As JSON, which is YAML, so that nothing needs quotes of its own. */
export function draftingPlanText(drafting: DraftingPlan): string {
  const { use, model, args, budgetUsd, timeoutMs, baseline, link } = drafting;
  const agent = { use, ...(model === undefined ? {} : { model }), ...(args.length === 0 ? {} : { args }) };
  const tested = baseline === undefined ? '' : `\n\n# The test command\n\n{{ steps.${BASELINE_STEP}.response }}`;
  const draft = {
    id: DRAFT_STEP,
    prompt: `{{ inputs.briefing }}${tested}`,
    read_only: true,
    on_result: [{ if: 'true', do: 'gate' }],
  };
  const plan: Json = {
    heddle: 1,
    name: 'draft',
    max_parallel: 1,
    timeout: `${Math.ceil(timeoutMs / 1000)}s`,
    budget: { usd: budgetUsd },
    merge: { auto: 'manual' },
    // A draft says what it assumes, and a person answers by changing the draft.
    questions: 'deny',
    agents: { planner: { ...agent, reserve: { usd: Math.min(RESERVE_USD, budgetUsd) } } },
    agent: 'planner',
    // No files from outside git: a draft needs no secrets.
    // A tree of its own, whatever the project's settings say: a read-only turn has none in place.
    sandbox: { link: [...link], tree: 'auto' },
    inputs: { goal: { type: 'string' }, briefing: { type: 'string' }, order: { type: 'object' } },
    tasks: { [DRAFT_TASK]: { steps: baseline === undefined ? [draft] : [baselineStep(baseline), draft] } },
  };
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

/** Prints a sentence and the end of the output, and leaves the tree as it was. */
function baselineStep({ setup, check }: { readonly setup: string | undefined; readonly check: string }): Json {
  const run = [
    'log=$(mktemp)',
    'code=0',
    // A sandbox reaches the hosts of its agent only, and many a set-up fetches packages.
    `if ( ${setup ?? ':'} ) > "$log" 2>&1 < /dev/null; then`,
    `  ( ${check} ) > "$log" 2>&1 < /dev/null || code=$?`,
    '  if [ "$code" -eq 0 ]; then echo "It passes on this commit."; else',
    '    echo "It fails on this commit with exit code $code, so a check cannot rely on all of it. It ends with:"',
    '    tail -c 1500 "$log"; fi',
    'else echo "Whether it passes is not known, because its set-up does not work in the sandbox of a drafting."; fi',
    'rm -f "$log"; git reset --quiet --hard; git clean --quiet -fd',
    'exit "$code"',
  ].join('\n');
  return { id: BASELINE_STEP, run, on_error: 'continue', attempts: 1, timeout: BASELINE_LIMIT };
}
