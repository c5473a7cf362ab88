// The prompt of each leaf: a template of the user, or the default.
//
// part-prompt/T1. A template that cannot be parsed, or that reads an unknown name, is a failure with a sentence.
// part-prompt/T2. Text from outside, such as a goal or a file name, stays text in the plan, whatever braces it has.

import type { Json } from '../plan/plan.ts';
import { readTemplate, renderTemplate } from '../plan/expressions/template.ts';
import type { SplitLeaf } from './split-files.ts';

export const PROMPT_TEMPLATE = `{{ goal }}

This is one part of that job{% if folder != "" %}: {{ folder }}{% endif %}. Change {% if file_count == 1 %}this file{% else %}these {{ file_count }} files{% endif %},
and add new files{% if owns_folder %} below {{ folder }}{% else %} beside them{% endif %} where the job needs them. Leave all other files as they are,
because other agents work on them at the same time:
{% for file in files %}
- {{ file }}{% endfor %}
{% if needs.size > 0 %}
What these files import from other parts has been worked on already, and is as you find it.
{% endif %}`;

export type Prompted =
  | { readonly type: 'prompted'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

export interface PromptOrder {
  readonly template: string;
  readonly goal: string;
  readonly leaf: SplitLeaf;
  /** The description by an agent, if one was asked. */
  readonly description: string | undefined;
}

export function promptFor({ template, goal, leaf, description }: PromptOrder): Prompted {
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
