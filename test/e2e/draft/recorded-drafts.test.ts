// Recorded drafting turns of real programs, from what they print to a plan.
import { expect, test } from 'vitest';
import { extractPlan } from '../../../src/core/draft/extract-plan.ts';
import { parsePlan } from '../../../src/core/plan/build/parse.ts';
import { heardIn, requestOf, transcriptsOf } from '../../../src/shell/agents/transcripts.given.ts';

test.each(['claude', 'codex', 'opencode'])('a recorded turn of %s that drafted a plan has the plan', (kind) => {
  const transcript = transcriptsOf(kind).find(({ name }) => name === 'drafted');
  if (transcript === undefined) throw new Error('There is no such recording.');
  const { verdict, conversation } = heardIn(transcript, requestOf(kind), { hasChanges: false });
  const response = verdict.type === 'finished' ? (verdict.result.response ?? '') : '';
  const extracted = extractPlan(response);
  expect(extracted).toMatchObject({ type: 'plan', reasons: ['both files are new.'], assumptions: ['the base stays.'] });
  const text = extracted.type === 'plan' ? `${extracted.text}agent: ${kind}\n` : '';
  expect(parsePlan(text, { file: 'plan.yaml' }).diagnostics).toEqual([]);
  expect(conversation).toMatch(/.{10}/);
});
