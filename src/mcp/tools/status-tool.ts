// `status`: how far a run is, and which runs there are.
import { z } from 'zod';
import { chooseRun } from '../../app/open-project.ts';
import { readStatus } from '../../app/read/read-status.ts';
import { withMcpStore, type McpContext } from '../call/mcp-context.ts';
import { statusText } from '../call/run-texts.ts';
import { makeTool } from '../call/tool.ts';

/** Of every tool that takes a run. */
export const RUN_FIELD = { run: z.string().optional().describe('default: the latest') } as const;

const OTHERS_MAX = 10;

export const STATUS = makeTool({
  name: 'status',
  description:
    'How far a run is: counts, spend, running tasks, failures, open questions, time left; and the other runs.',
  input: z.object(RUN_FIELD),
  changes: false,
  run: async ({ run }, { mcp }) =>
    await withMcpStore(mcp, 'read', (open) => {
      const status = readStatus(open, chooseRun(open.store, run));
      const position = open.store.endOf(status.run);
      return [statusText(status), `Position: ${position}`, ...otherRuns(mcp, open, status.run)].join('\n');
    }),
});

function otherRuns({ summaries }: McpContext, open: Parameters<McpContext['summaries']>[0], shown: string) {
  const others = summaries(open).filter(({ run }) => run.run !== shown);
  if (others.length === 0) return [];
  const lines = others
    .slice(-OTHERS_MAX)
    .map(({ run: { run, stage, counts, total } }) => `  ${run} ${stage}, ${counts['completed'] ?? 0} of ${total} done`);
  return ['Other runs', ...lines];
}
