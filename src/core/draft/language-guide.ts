// The plan language in two pages, for an agent that drafts a plan. Tuned against `npm run bench -- plan`; keep it short.

/** A test parses its example, so that agents never learn a mistake from it. */
export const LANGUAGE_GUIDE = `# How to write a plan

A plan is one YAML file. Heddle gives every task a git sandbox and an agent of its own, runs all tasks at once whose
needs are met, checks each one, and merges it. An agent sees the repository and its own prompt, and nothing else: not
the goal, not this page, not the other prompts.

\`\`\`yaml
heddle: 1                       # required
name: order-export              # short, lower case
max_parallel: 4                 # steps at once, 1 to 32
merge:
  check: npm test               # must pass on the merged work of every task
tasks:
  format:
    prompt: |
      Add src/export/format.ts with formatOrder(order: Order): string, one line of CSV per order with the columns id,
      date and total. Quote values that contain a comma. Add tests in test/export/format.test.ts.
    files: [src/export/format.ts, test/export/format.test.ts]
    check: npm test -- format   # must pass on the work of this task alone
    estimate: 8m
  storage:
    prompt: |
      Add ordersBetween(from, to) to src/storage/orders.ts, with tests in test/storage/orders.test.ts. Keep the other
      functions as they are.
    files: [src/storage/orders.ts, test/storage/orders.test.ts]
    check: npm test -- storage
    estimate: 8m
  command:
    needs: [format, storage]    # starts on the merged work of both
    prompt: |
      Add the command export FROM TO to src/cli.ts. It prints formatOrder of each order of ordersBetween, and exits
      with 2 when a date is not valid. Add tests in test/cli.test.ts.
    files: [src/cli.ts, test/cli.test.ts]
    check: npm test -- cli
    estimate: 10m
\`\`\`

## Rules

1. As few tasks as the goal needs. One small change is one task. Two tasks are better than one only when they can run at
   the same time, or when one is too large for one turn of an agent (about 20 files to change, or half an hour).
2. Width over depth. Give \`needs\` only where a task uses the work of another. Put what several tasks share, such as
   types or an interface, into one small task that the others need.
3. Two tasks that may run at the same time must not write the same files. Say in \`files\` what each task writes, as
   globs from the root: the files, or the folder of one part, and not \`src/**\` to be safe. When two must touch one
   file, one of them needs the other; what all would add to, such as a list of exports or a changelog, is for the last.
4. Every task that changes code has a \`check\` that fails when its work is wrong: a command that exists in this
   repository, or that a task it needs creates. The narrower and quicker the better. \`merge.check\` is the whole suite.
   Join commands with \`&&\`. \`|| true\`, a pipe, and a filter that matches no test (\`go test -run X\`) hide a failure.
5. A prompt says what to make, where, the names and signatures that other tasks rely on, and what must stay as it is. It
   is complete by itself. Do not tell an agent to commit, push, merge, or ask somebody.
6. \`estimate\` is your honest guess of one agent's time, as 90s, 8m, 1h.
7. Task ids are lower-case letters, digits and dashes. Write prompts in the language of the goal, and after \`|\`; quote
   a text of one line that has \`: \` or \` #\`, or begins with \`!\`, \`*\`, \`&\`, \`@\`, \`{\` or \`[\`.

## More, when it is needed

| Key of a task | Meaning |
|---|---|
| \`run: make migrate\` | a command instead of a \`prompt\` |
| \`steps: [{ id: tests, prompt: … }, { id: code, prompt: … }]\` | several turns of one agent, in one sandbox, in order |
| \`read_only: true\` | with a prompt: it changes nothing, as a survey or a design; so no \`files\` and no \`check\` |
| \`tasks: { … }\` | a subplan: tasks under one name; others need it as \`needs: [reviews]\` or \`[reviews.security]\` |
| \`gate: Ship it?\` | a person decides; only where the goal asks for one |
| \`for_each: { in: [a, b], task: { prompt: "… {{ item }} …" } }\` | one copy of a task for each item; also in \`files\` and \`check\`, quoted |
| \`grow: { prompt: One task per module that …, max_tasks: 20 }\` | tasks that cannot be known yet: an agent writes them during the run; give the task \`files\` and a \`budget\` |
| \`{{ tasks.design.response }}\` | in a prompt: the last answer of a task that this one needs; quote the text |
| \`{% raw %}{{ x }}{% endraw %}\` | in a text: braces that are meant as they stand |
| \`agent: NAME\` | one of the agents that are named below; leave it out to use the default |
| \`review: { agent: NAME, rounds: 2, blocks: [high] }\` | another agent reads the work; what it finds goes back, before the merge |
| \`escalate: [CHEAP, STRONG]\` | agents for one attempt after the other: the stronger one only where the cheaper one failed |
| \`budget: { usd: 5 }\` | the most that the plan, or a task with it, may spend |
| \`reserve: { usd: 1 }\` | what one turn may cost; the forecast goes by it |

Keys that only a person sets, which a draft leaves out: \`base\`, \`target\`, \`notify\`, \`telemetry\`, \`env\`, \`permissions\`,
\`questions\`, \`hosts\`, \`merge.auto\`, and \`args\`, \`command\` and \`env\` of agents. Heddle adds \`sandbox\` and the default \`agent\` itself.

## Your answer

First, outside the plan, one line for each reason and each assumption that a person should know of:

Why: the parser and the printer share only the types, so both start at once.
Assumption: the old command stays until the next release.

Then the whole plan in one \`\`\`yaml fence. Nothing after it. You change no files, and ask nothing: decide, and say what you
assume.
`;
