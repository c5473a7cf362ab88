// Keys of other tools (GitHub Actions, GitLab CI, Compose, Make-like runners, agent frameworks), and their names here.

type Hints = readonly (readonly [keys: string, hint: string])[];

/** Keys that mean the same on tasks and on steps. */
const OF_WORK: Hints = [
  ['depends_on dependsOn depends-on dependencies deps requires after', 'Write needs.'],
  ['if condition conditions unless rules only except', 'Write when, with a CEL expression.'],
  ['command commands cmd cmds script scripts shell exec entrypoint bash', 'Write run.'],
  ['instruction instructions message goal ask', 'Write prompt.'],
  ['retries max_retries max_attempts maxAttempts tries', 'Write attempts, which counts the first try too.'],
  [
    'timeout-minutes timeout_minutes timeoutMinutes timeout_seconds deadline',
    'Write timeout with a unit, such as 45m.',
  ],
  [
    'continue-on-error continueOnError allow_failure ignore_errors ignore_error',
    'Write on_error: continue on a step, or failure_mode: continue_on_error around tasks.',
  ],
  ['image container docker', 'Tasks run in sandboxes; see sandbox.'],
  [
    'runs-on runs_on runner runners tags tag nodeSelector node_selector node labels label host hosts machine',
    'Write on with labels of hosts: on: [linux, gpu].',
  ],
  ['uses', 'Write run with the command that the action stands for.'],
  ['with', 'Write values into the command or the prompt; templates read inputs.'],
  [
    'env environment variables vars secrets',
    'Commands see the environment of the run; set others in the command, as in X=1 make.',
  ],
  ['cwd dir workdir working-directory working_directory working_dir', 'Write run: cd folder && ….'],
  ['artifacts outputs', 'Files are merged by git; write output for data that others read.'],
  ['cache caches', 'Write sandbox: { link: […] } or setup at the top of the plan.'],
  ['model', 'Write the model on an agent, under agents, and name the agent.'],
  ['schema response_format output_schema', 'Write output with a JSON Schema.'],
  ['title summary', 'Write description.'],
];

const CONCURRENCY =
  'max_concurrency maxConcurrency concurrency max-parallel maxParallel parallelism parallel jobs_limit workers max_workers';

const OF_TASK: Hints = [
  ...OF_WORK,
  ['matrix strategy foreach forEach for-each loop with_items each', 'Write for_each.'],
  [CONCURRENCY, 'Write max_parallel.'],
  ['async', 'Only steps can be async; tasks run side by side unless one needs the other.'],
  ['id', 'The id of a task is its key in tasks.'],
  ['name', 'The name of a task is its key in tasks; write description for words about it.'],
  ['stage stages', 'Order comes from needs alone; group tasks in a subplan with tasks.'],
  [
    'services service',
    'Start services in sandbox: { setup: … } or in a step; ports are leased with sandbox: { ports: 2 }.',
  ],
  ['jobs subtasks children', 'Write tasks, which makes a subplan.'],
  [
    'approval needs_approval requires_approval human_review human manual confirm environment_approval',
    'Write gate with the question.',
  ],
  ['test tests verify validate acceptance_criteria', 'Write check with a command.'],
  ['paths scope writes', 'Write files with globs.'],
  ['cost max_cost budget_usd', 'Write budget: { usd: 5 }.'],
  ['resource_group lock mutex semaphore', 'Declare a pool under pools, and hold it with pools or hold.'],
];

const OF_STEP: Hints = [
  ...OF_WORK,
  ['name', 'Write id.'],
  ['background detach', 'Write async: true, and collect it with the needs of a later step.'],
  ['join', 'Write action: join.'],
];

const OF_PLAN: Hints = [
  ['jobs services workflow workflows stages pipeline', 'Write tasks.'],
  ['version', 'Write heddle: 1.'],
  ['steps', 'Steps belong to a task: put them under tasks.'],
  ['on triggers trigger', 'A plan runs when you run it; labels of hosts belong to a task, a step or an agent.'],
  [
    'runs-on runs_on runner runners tags nodeSelector node_selector',
    'Write on, with labels of hosts, on a task or an agent.',
  ],
  [CONCURRENCY, 'Write max_parallel.'],
  ['variables vars parameters params args', 'Write inputs.'],
  ['environment secrets', 'Write env with the names that templates may read.'],
  ['fail_fast fail-fast failFast', 'Write failure_mode: fail_fast.'],
  ['retries', 'Write attempts, which counts the first try too.'],
  ['branch', 'Write base for where the run starts, or target for where it lands.'],
  ['image container', 'Tasks run in sandboxes on this machine; see sandbox.'],
  ['models model', 'Write agents, each with its model.'],
  ['include includes extends import', 'A plan is one file; anchors under x-… keys avoid repetition.'],
  ['description title', 'Write name, or a comment.'],
];

const asMap = (hints: Hints): ReadonlyMap<string, string> =>
  new Map(hints.flatMap(([keys, hint]) => keys.split(' ').map((key) => [key, hint] as const)));

export const FOREIGN_TASK_KEYS = asMap(OF_TASK);
export const FOREIGN_STEP_KEYS = asMap(OF_STEP);
export const FOREIGN_PLAN_KEYS = asMap(OF_PLAN);
