import { expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { textsOfPlan } from './setting-texts.ts';

function textsIn(sandbox: string): ReadonlyMap<string, string | undefined> {
  const { plan } = parsePlan(`heddle: 1\nsandbox: ${sandbox}\ntasks:\n  a: { run: make }\n`, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan has mistakes.');
  return new Map(textsOfPlan(plan));
}

test('everything that a sandbox lets in, and how much it may take, is said', () => {
  const plain = textsIn('{}');
  const open = textsIn(
    '{ include: [.env], setup: make, link: [deps], ports: 2, network: [a.b, c.d], limits: { memory: 2G } }',
  );
  expect([...open].filter(([name, text]) => plain.get(name) !== text)).toEqual([
    ['sandbox.include', '.env'],
    ['sandbox.setup', 'make'],
    ['sandbox.link', 'deps'],
    ['sandbox.ports', '2'],
    ['sandbox.network', 'a.b, c.d'],
    ['sandbox.limits.memory', '2000M'],
  ]);
});
