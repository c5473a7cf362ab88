// The prompt of each leaf: a template of the user, or the default.
//
// part-prompt/T1. A template that cannot be parsed, or that reads an unknown name, is a failure with a sentence.
// part-prompt/T2. Text from outside, such as a goal or a file name, stays text in the plan, whatever braces it has.
//
// Another prompt asks an agent to name and describe parts. Ids stay as they are.
//
// part-prompt/T3. An answer is untrusted: only texts for the requested parts are taken, on one line, up to a
//   length.

import type { Json } from '../plan/plan.ts';
import { readTemplate, renderTemplate } from '../plan/expressions/template.ts';
import { partSizeOf, type SplitLeaf, type SplitPart } from './split-files.ts';

export const PROMPT_TEMPLATE = `{{ goal }}

This is one part of that job{% if folder != "" %}: {{ folder }}{% endif %}. Change {% if file_count == 1 %}this file{% else %}these {{ file_count }} files{% endif %},
and add new files{% if owns_folder %} below {{ folder }}{% else %} beside them{% endif %} where the job needs them. Leave all other files as they are,
because other agents work on them at the same time:
{% for file in files %}
- {{ file }}{% endfor %}
{% if needs.size > 0 %}
What these files import from other parts has been worked on already, and is as you find it.
{% endif %}`;

type Prompted =
  | { readonly type: 'prompted'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

interface PromptOptions {
  readonly template: string;
  readonly goal: string;
  readonly leaf: SplitLeaf;
  /** The description by an agent, if one was asked. */
  readonly description: string | undefined;
}

export function promptFor({ template, goal, leaf, description }: PromptOptions): Prompted {
  const [problem] = readTemplate(template).problems;
  if (problem !== undefined) return { type: 'failed', message: problem.message };
  const scope: Readonly<Record<string, Json>> = {
    goal: asText(goal),
    id: leaf.id,
    path: leaf.path,
    folder: asText(leaf.folder),
    files: leaf.files.map(asText),
    file_count: leaf.files.length,
    owns_folder: leaf.ownsFolder,
    tokens: leaf.tokens,
    needs: leaf.needs,
    description: asText(description ?? ''),
  };
  const rendered = renderTemplate(template, scope);
  if (rendered.type === 'failed') return { type: 'failed', message: rendered.message };
  return { type: 'prompted', text: tidied(rendered.text) };
}

/** Prompts are templates in the plan, so a literal brace is escaped like this. */
const asText = (text: string): string => text.replace(/\{[{%]+/g, (braces) => `{% raw %}${braces}{% endraw %}`);

/** Blocks of a template leave empty lines behind. */
function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The number of parts that an agent describes well in one turn. */
const PARTS_PER_TURN = 60;
const FILES_SHOWN_MAX = 12;
const DESCRIPTION_LENGTH_MAX = 200;

interface DescriptionTurn {
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
  if (part.type === 'branch') return `${partSizeOf(part).files} files in ${place}`;
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
