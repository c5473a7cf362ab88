// Thirty-two agents at once, and each kind of verdict once: the outcomes are those of the reference.
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import type { Line } from './project.given.ts';

endProjectsAfterEach();

/** By the task that it happens to: what its agent does the first time, and how the task ends. */
const VERDICTS: Readonly<Record<string, readonly [script: string, ending: string]>> = {
  done: ['@say fine', 'done'],
  overloaded: ['@once v/overloaded @fail overloaded', 'done'],
  limited: ['@once v/limited @limit 1s', 'done'],
  quota: ['@once v/quota @quota 1s', 'done'],
  cut: ['@once v/cut @fail cut_off', 'done'],
  crashed: ['@once v/crashed @signal SIGKILL', 'done'],
  exited: ['@once v/exited @exit 3', 'done'],
  silent: ['@once v/silent @exit 0', 'done'],
  authentication: ['@fail authentication Log in.', 'authentication'],
  bad_request: ['@fail bad_request No such model.', 'bad_request'],
  context: ['@fail context Too long.', 'context'],
  turns: ['@fail turns Enough.', 'turns'],
  cost: ['@fail cost Too dear.', 'cost'],
  refused: ['@fail refused I would rather not.', 'refused'],
  permission: ['@fail permission Not allowed.', 'permission'],
  asked: ['@ask Which one?', 'asked'],
};

const AGENTS = 32;
const names = [
  ...Object.keys(VERDICTS),
  ...Array.from({ length: AGENTS - Object.keys(VERDICTS).length }, (_, at) => `plain-${at}`),
];

/** No agent continues before all of them have begun, so they ran together. */
const MEET = `@run mkdir -p here && touch here/$HEDDLE_TASK && until [ $(ls here | wc -l) -ge ${AGENTS} ]; do sleep 0.2; done`;

const endOf = (events: readonly Line[], name: string): string | undefined => {
  const ended = events.find(({ type, task }) => type === 'task.ended' && task === name);
  return ended?.reason ?? ended?.ending;
};

test(`${AGENTS} agents run at once, and each kind of verdict is handled as designed`, async () => {
  const tasks = names.map(
    (name) => `  ${name}:\n    prompt: |\n      ${MEET}\n      ${VERDICTS[name]?.[0] ?? '@say fine'}`,
  );
  const project = givenProject(`max_parallel: ${AGENTS}
attempts: 2
questions: { timeout: 1s }
agents: { ai: { use: scripted } }
agent: ai
tasks:
${tasks.join('\n')}
`);
  expect((await project.heddle('run', 'plan.yaml', '--wait', '5m')).code).toBe(4);
  const events = await project.events();
  const endings = Object.fromEntries(names.map((name) => [name, endOf(events, name)]));
  expect(endings).toEqual(Object.fromEntries(names.map((name) => [name, VERDICTS[name]?.[1] ?? 'done'])));
  const uncounted = events.filter(
    ({ type, work, counted }) => work === 'step' && type === 'claim.returned' && counted === false,
  );
  expect(new Set(uncounted.map(({ reason }) => reason))).toEqual(new Set(['overloaded', 'quota', 'rate_limit']));
  const claims = events.filter(({ type, work }) => work === 'step' && type === 'claim.made').map(({ task }) => task);
  for (const once of ['authentication', 'bad_request', 'context', 'turns', 'refused', 'permission'])
    expect(claims.filter((task) => task === once)).toHaveLength(1);
});
