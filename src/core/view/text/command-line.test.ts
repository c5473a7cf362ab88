import { expect, test } from 'vitest';
import { commandLine, type ShortCommand } from './command-line.ts';

test('each command of the dashboard has its line', () => {
  const commands: readonly ShortCommand[] = [
    { type: 'pause', tasks: [] },
    { type: 'cancel', tasks: ['reviews.speed'] },
    { type: 'retry', tasks: ['api'], text: 'Keep it.' },
    { type: 'rollback', task: 'api', step: 'code' },
    { type: 'merge', task: 'api', commit: undefined },
    { type: 'approve', task: 'ship', step: 'main' },
    { type: 'reject', task: 'ship', step: 'verify' },
    { type: 'answer', task: 'pay', step: undefined, text: 'Stripe' },
  ];
  expect(commands.map((command) => commandLine('shop-3', command))).toEqual([
    'heddle pause shop-3',
    'heddle cancel reviews.speed --run shop-3',
    "heddle retry api --run shop-3 --tell 'Keep it.'",
    'heddle rollback api code --run shop-3',
    'heddle merge api --run shop-3',
    'heddle approve ship --run shop-3',
    'heddle reject ship --step verify --run shop-3',
    'heddle answer --run shop-3 -- pay Stripe',
  ]);
});

test('a text stays a text in a shell', () => {
  const text = `it's "$(rm -rf ~)" \`id\` -x\nsecond`;
  expect(commandLine('r', { type: 'answer', task: 'a', step: undefined, text })).toBe(
    `heddle answer --run r -- a 'it'\\''s "$(rm -rf ~)" \`id\` -x\nsecond'`,
  );
});
