// The review of a task by another agent, and the shape of its findings.

import { list } from './collections.ts';
import { field, objectShape, requiredField } from './object.ts';
import { choice, integer, textShape } from './scalars.ts';
import { agentsShape } from './settings-shape.ts';
import type { JsonSchema } from '../plan.ts';

/** From the least to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A reviewer that is never satisfied is expensive. */
const REVIEW_ROUNDS_MAX = 10;

export const review = objectShape(
  {
    agent: requiredField(agentsShape, 'The agent that reviews; of a list, the first that is available.'),
    rounds: field(
      integer({ min: 1, max: REVIEW_ROUNDS_MAX }),
      'The most reviews, the first included. The task fails when the last one still finds something that blocks. Default: 2.',
    ),
    blocks: field(
      list(choice(...SEVERITIES), { min: 1 }),
      'The severities that send the work back: low, medium, high. Default: [high].',
    ),
    prompt: field(textShape(), 'What to look at in particular; a template like that of a step.'),
  },
  { noun: 'review', example: 'Write review: { agent: other, rounds: 2, blocks: [high] }.' },
);

/** The output of a reviewer. */
export const FINDINGS: JsonSchema = {
  type: 'object',
  required: ['summary', 'findings'],
  additionalProperties: false,
  properties: {
    summary: { type: 'string' },
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['severity', 'file', 'line', 'problem', 'suggestion'],
        additionalProperties: false,
        properties: {
          severity: { enum: SEVERITIES },
          file: { type: ['string', 'null'] },
          line: { type: ['integer', 'null'] },
          problem: { type: 'string' },
          suggestion: { type: ['string', 'null'] },
        },
      },
    },
  },
};
