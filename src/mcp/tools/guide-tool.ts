// `guide`: the plan language on one page, and any page of the documents.
import { z } from 'zod';
import { codeNames, findTopic, pageNames, pageTitles, readPage } from '../../app/read/documents.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { makeTool } from '../call/tool.ts';
import { failed } from '../call/tool-reply.ts';

const BRIEF = 'reference/plan-brief';

export const GUIDE = makeTool({
  name: 'guide',
  description: 'The plan language on one page. Read it before writing a plan. A topic gives a page or explains a code.',
  input: z.object({ topic: z.string().optional().describe('a page, or a code of a diagnostic, as unknown-need') }),
  changes: false,
  run: ({ topic }) => {
    if (topic === undefined || topic === '') return `${readPage(BRIEF)}\n${topicsText()}`;
    const text = findTopic(topic);
    if (text !== undefined) return text;
    const like = nearest(topic, [...codeNames(), ...pageNames()]);
    return failed(`There is no topic ${topic}.${like === undefined ? '' : ` Did you mean ${like}?`}\n${topicsText()}`);
  },
});

const topicsText = (): string =>
  `Topics: ${pageTitles()
    .map(({ page }) => page)
    .join(', ')}, and every code of a diagnostic.`;
