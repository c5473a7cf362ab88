// The prompt that asks an agent to name and describe parts, and the reader of its answer. Ids stay as they are.
//
// ask-descriptions/Q1. An answer is untrusted: only texts for the requested parts are taken, on one line, up to a
//   length.

import { sizeOf } from './split-files.ts';
import type { SplitPart } from './split-files.ts';

/** The number of parts that an agent describes well in one turn. */
const PARTS_PER_TURN = 60;
const FILES_SHOWN_MAX = 12;
const DESCRIPTION_LENGTH_MAX = 200;

export interface DescriptionTurn {
  readonly prompt: string;
  readonly parts: readonly SplitPart[];
}

/** One turn per batch of parts, branches before their parts. */
export function askDescriptions(goal: string, parts: readonly SplitPart[]): readonly DescriptionTurn[] {
  const all = allIn(parts);
  return Array.from({ length: Math.ceil(all.length / PARTS_PER_TURN) }, (_, turn) => {
    const asked = all.slice(turn * PARTS_PER_TURN, (turn + 1) * PARTS_PER_TURN);
    return { parts: asked, prompt: promptOf(goal, asked) };
  });
}

function allIn(parts: readonly SplitPart[]): readonly SplitPart[] {
  return parts.flatMap((part) => (part.type === 'leaf' ? [part] : [part, ...allIn(part.children)]));
}

function promptOf(goal: string, parts: readonly SplitPart[]): string {
  return [
    'A code base was split into parts, so that several agents can work on it at once towards this goal:',
    '',
    goal,
    '',
    'Name and describe each part in one sentence of at most 20 words, as "Name: what it is for". Judge by paths alone,',
    'use no tools and change nothing. Answer with one JSON object and nothing else, whose keys are the ids of the parts',
    'as they stand here and whose values are the sentences.',
    '',
    ...parts.map((part) => `- ${part.path}: ${wordsFor(part)}`),
  ].join('\n');
}

function wordsFor(part: SplitPart): string {
  const place = part.folder === '' ? 'the root' : part.folder;
  if (part.type === 'branch') return `${sizeOf(part).files} files in ${place}`;
  const shown = part.files.slice(0, FILES_SHOWN_MAX).join(', ');
  return part.files.length > FILES_SHOWN_MAX ? `${shown} and ${part.files.length - FILES_SHOWN_MAX} more` : shown;
}

/** `answer` is the structured output of the agent, of any shape. */
export function readDescriptions(answer: unknown, { parts }: DescriptionTurn): ReadonlyMap<string, string> {
  const read = new Map<string, unknown>(typeof answer === 'object' && answer !== null ? Object.entries(answer) : []);
  const described = new Map<string, string>();
  for (const { path } of parts) {
    const said = read.get(path);
    const line = typeof said === 'string' ? said.replace(/\s+/g, ' ').trim().slice(0, DESCRIPTION_LENGTH_MAX) : '';
    if (line !== '') described.set(path, line);
  }
  return described;
}
