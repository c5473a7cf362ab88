// `wait`: until something is worth telling, and never so long that a client gives up.
import { z } from 'zod';
import { chooseRun } from '../../app/open-project.ts';
import { awaitNews, type News } from '../../app/read/await-news.ts';
import { readStatus } from '../../app/read/read-status.ts';
import { runText } from '../../core/view/run/notification.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { statusText } from '../call/run-texts.ts';
import { makeTool } from '../call/tool.ts';
import { quotedLines } from '../call/tool-reply.ts';
import { RUN_FIELD } from './status-tool.ts';

/** Clients give up after a minute. */
const SECONDS_MAX = 50;

export const WAIT = makeTool({
  name: 'wait',
  description:
    'Wait for news of a run: a question, a failure, its end. Returns after 50 s at the latest; call it again with the position it gives.',
  input: z.object({
    ...RUN_FIELD,
    position: z.number().int().min(0).optional().describe('as start, status or wait gave it'),
    seconds: z.number().min(0).max(SECONDS_MAX).optional(),
  }),
  changes: false,
  run: async ({ run, position: since, seconds = SECONDS_MAX }, { mcp, signal, tell }) =>
    await withMcpStore(mcp, 'read', async (open) => {
      const record = chooseRun(open.store, run);
      const news = await awaitNews(open, {
        record,
        since,
        withinMs: seconds * 1_000,
        signal,
        onWaiting: (elapsedMs, state) =>
          tell({ done: Math.round(elapsedMs / 1_000), of: SECONDS_MAX, message: runText(state) }),
      });
      return [...newsLines(record.run, news), statusText(readStatus(open, record)), `Position: ${news.position}`].join(
        '\n',
      );
    }),
});

const WHY: Readonly<Record<News['why'], (run: string) => string>> = {
  news: () => 'News.',
  ended: (run) =>
    `The run has ended. Read its report: heddle://runs/${run}/report. A person lands it: heddle land ${run}.`,
  'no-coordinator': () => 'No process runs it. control with do: resume goes on.',
  nothing: () => 'No news yet. Call wait again.',
};

function newsLines(run: string, { why, notifications, done, failed }: News): readonly string[] {
  return [
    WHY[why](run),
    ...notifications.flatMap(({ title, text }) => [title, quotedLines(text)]),
    ...(failed.length === 0 ? [] : [`Failed since: ${failed.join(', ')}`]),
    ...(done.length === 0 ? [] : [`Done since: ${done.join(', ')}`]),
    '',
  ];
}
