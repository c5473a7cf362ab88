// Environment variables given to an agent in addition to those of its kind: names alone, or names with values.

import { oneOf, list, record } from './collections.ts';
import { pattern, text } from './scalars.ts';
import { mapShape } from './shape.ts';
import type { Shape } from './shape.ts';
import { report } from '../source/source-reader.ts';
import type { AgentVariable } from '../plan.ts';

/** These tag every process of a claim, so a plan may not set them. */
const NAME_PATTERN = '^(?!HEDDLE_)[A-Za-z_][A-Za-z0-9_]*$';
const NAME = new RegExp(NAME_PATTERN);
const WANTED = 'the name of an environment variable that does not begin with HEDDLE_';
const HINT = 'Write names such as MY_KEY; those that begin with HEDDLE_ are set by Heddle.';

const names = mapShape(
  list(pattern({ matches: NAME, wanted: WANTED, hint: HINT, code: 'invalid-name' })),
  (given): readonly AgentVariable[] => given.map((name) => ({ name, value: undefined })),
);

const texts = mapShape(
  record(text(), {
    noun: 'variable',
    duplicateCode: 'duplicate-key',
    checkKey: (key, offset, reading) => {
      if (NAME.test(key)) return;
      report(reading, {
        code: 'invalid-name',
        offset,
        message: `${JSON.stringify(key)} is not ${WANTED}.`,
        hint: HINT,
      });
    },
    keySchema: NAME_PATTERN,
  }),
  (given): readonly AgentVariable[] => given.map(({ name, value }) => ({ name, value: value ?? '' })),
);

export const agentEnvironment: Shape<readonly AgentVariable[]> = oneOf<readonly AgentVariable[]>({
  wanted: 'a list of names or a map of names to texts',
  hint: 'Write env: [MY_KEY], or env: { OPENAI_API_KEY: "${MY_KEY}" }.',
  list: names,
  map: texts,
});
