// The needs of a task: `needs: a`, `needs: [a, b]`, and the four map forms.

import type { Need } from '../plan.ts';
import { list, oneOfShape } from './collections.ts';
import { field, objectShape } from './object.ts';
import { integer, textShape } from './scalars.ts';
import { mapShape } from './shape.ts';
import type { Shape } from './shape.ts';
import type { SourceNode } from '../source/source-node.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';

/** The name of a task or step; ids may be numbers, so `needs: [1]` means the task `1`. */
export function reference(): Shape<string> {
  const words = textShape();
  return {
    name: 'a name',
    schema: () => ({ type: ['string', 'integer'] }),
    read: (node, reading) => {
      const isWord = node.type === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'boolean');
      return isWord ? reading.text.slice(node.start, node.end) : words.read(node, reading);
    },
  };
}

const names = list(reference());
/** A choice among no tasks is impossible. */
const choices = list(reference(), { min: 1 });

/** One name or several. */
export const nameList: Shape<readonly string[]> = oneOfShape({
  wanted: 'a name or a list of names',
  hint: 'Write needs: [a, b].',
  scalar: mapShape(reference(), (name) => [name]),
  list: names,
});

const forms = objectShape(
  {
    all: field(names, 'All of these must have ended well or been skipped.'),
    any: field(choices, 'At least one of these must have ended well.'),
    at_least: field(integer({ min: 1, max: 10_000 }), 'So many of the tasks in `of` must have ended well.'),
    of: field(names, 'The tasks that at_least counts.'),
    race: field(choices, 'The first of these to end well wins; the others are cancelled.'),
  },
  {
    noun: 'needs',
    schema: {
      oneOf: [{ required: ['all'] }, { required: ['any'] }, { required: ['at_least', 'of'] }, { required: ['race'] }],
    },
  },
);

const needForms: Shape<Need> = {
  name: 'needs',
  schema: forms.schema,
  read: (node, reading) => {
    const declared = forms.read(node, reading);
    if (declared === undefined) return undefined;
    if (!hasOneForm(node, reading)) return undefined;
    const { all, any, at_least: count, of, race } = declared;
    if (all !== undefined) return { type: 'all', of: all };
    if (any !== undefined) return { type: 'any', of: any };
    if (race !== undefined) return { type: 'race', of: race };
    return count === undefined || of === undefined ? undefined : { type: 'at_least', count, of };
  },
};

const FORMS: ReadonlySet<string> = new Set(['all', 'any', 'at_least', 'of', 'race']);

/** Exactly one of all, any, race, or at_least with of. */
function hasOneForm(node: SourceNode, reading: SourceReader): boolean {
  const keys = node.type === 'map' ? node.entries.map((entry) => entry.key) : [];
  const found = ['all', 'any', 'at_least', 'race'].filter((key) => keys.includes(key));
  const isWhole = found.length === 1 && (found[0] === 'at_least') === keys.includes('of');
  if (isWhole) return true;
  // An unknown key has been reported and is probably the intended form.
  if (keys.some((key) => !FORMS.has(key))) return false;
  reportFinding(reading, {
    code: 'invalid-value',
    offset: node.start,
    message: 'needs must say exactly one of all, any, race, or at_least together with of.',
    hint: 'Write { all: [a, b] }, { any: [a, b] }, { race: [a, b] } or { at_least: 2, of: [a, b, c] }.',
  });
  return false;
}

export const needs: Shape<Need> = oneOfShape<Need>({
  wanted: 'a name, a list of names or a map',
  hint: 'Write needs: [a, b], or { any: [a, b] }, { race: [a, b] }, { at_least: 2, of: [a, b, c] }.',
  scalar: mapShape(reference(), (name) => ({ type: 'all', of: [name] })),
  list: mapShape(names, (of) => ({ type: 'all', of })),
  map: needForms,
});
