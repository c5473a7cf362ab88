import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractPlan } from './extract-plan.ts';

const PLAN = 'heddle: 1\ntasks:\n  a: { prompt: x }\n';

const textIn = (answer: string): string | undefined => {
  const extracted = extractPlan(answer);
  return extracted.type === 'plan' ? extracted.text : undefined;
};

test('a plan is found in a fence, with prose around it', () => {
  const answer = `Here is the plan.\n\n\`\`\`yaml\n${PLAN}\`\`\`\n\nI hope that it helps.\n`;
  expect(textIn(answer)).toBe(PLAN);
});

test('a plan without a fence ends where the prose goes on', () => {
  expect(textIn(`Sure!\n${PLAN}\nThat is all.\n`)).toBe(PLAN);
});

test('of several fences the last whole plan counts', () => {
  const answer = `\`\`\`yaml\ntasks:\n  first: {}\n\`\`\`\nbetter:\n\`\`\`\n${PLAN}\`\`\`\n\`\`\`sh\nnpm test\n\`\`\`\n`;
  expect(textIn(answer)).toBe(PLAN);
});

test('a fence in a list is indented, and so is the plan in it', () => {
  const indented = `1. The plan:\n\n   \`\`\`yaml\n   ${PLAN.trimEnd().replaceAll('\n', '\n   ')}\n   \`\`\`\n2. Run it.\n`;
  expect(textIn(indented)).toBe(PLAN);
});

test('a fence inside a prompt does not end the plan', () => {
  const plan = 'heddle: 1\ntasks:\n  a:\n    prompt: |\n      Write this:\n      ```js\n      x\n      ```\n';
  expect(textIn(`~~~yaml\n${plan}~~~\n`)).toBe(plan);
  expect(textIn(`\`\`\`yaml\n${plan}\`\`\`\n`)).toBe(plan);
});

test('line ends of another system do not matter', () => {
  expect(textIn(`\`\`\`yaml\r\n${PLAN.replaceAll('\n', '\r\n')}\`\`\`\r\n`)).toBe(PLAN);
});

test('prose alone is no plan, and neither is YAML of something else', () => {
  expect(extractPlan('I would begin with the types.')).toEqual({ type: 'none' });
  expect(extractPlan('```yaml\non: push\njobs: {}\n```')).toEqual({ type: 'none' });
  expect(extractPlan('')).toEqual({ type: 'none' });
});

test('a fence that is not closed is half a plan', () => {
  expect(extractPlan('```yaml\nheddle: 1\ntasks:\n  a:')).toEqual({ type: 'half', lines: 3 });
});

test('reasons and assumptions are read outside the plan', () => {
  const answer = `Why: both are small.\n- **Assumption**: nobody uses v1.\n\n\`\`\`yaml\n${PLAN}\`\`\`\n`;
  expect(extractPlan(answer)).toMatchObject({ reasons: ['both are small.'], assumptions: ['nobody uses v1.'] });
});

test('prose without marks is kept as the reason', () => {
  expect(extractPlan(`Two tasks side by side.\n\`\`\`yaml\n${PLAN}\`\`\``)).toMatchObject({
    reasons: ['Two tasks side by side.'],
    assumptions: [],
  });
  const dropped = `First:\n\`\`\`yaml\ntasks: {}\n\`\`\`\nBetter:\n\`\`\`yaml\n${PLAN}\`\`\`\n\`\`\`sh\nheddle run\n\`\`\``;
  expect(extractPlan(dropped)).toMatchObject({ reasons: ['First:', 'Better:'] });
});

test('any text is read, and what is found is a part of it', () => {
  const part = fc.constantFrom(
    '```',
    '```yaml',
    '~~~',
    'heddle: 1',
    'tasks:',
    '  a: { prompt: x }',
    'prose',
    '',
    '    ```',
  );
  let plans = 0;
  const plan = ['heddle: 1', 'tasks:', '  a: { prompt: x }'];
  const around = fc.array(fc.oneof(part, fc.string()));
  fc.assert(
    fc.property(around, fc.constantFrom([], plan), around, (before, written, after) => {
      const lines = [...before, ...written, ...after];
      const extracted = extractPlan(lines.join('\n'));
      if (extracted.type !== 'plan') return;
      plans += 1;
      const all = lines
        .join('\n')
        .split(/\r\n|\r|\n/u)
        .join('\n');
      expect(all).toContain(extracted.text.trimEnd());
    }),
  );
  expect(plans).toBeGreaterThan(0);
});
