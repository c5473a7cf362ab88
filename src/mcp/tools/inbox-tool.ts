// `inbox`: everything that waits for a person.
import { z } from 'zod';
import { chooseRun } from '../../app/open-project.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { waitingItemText } from '../call/run-texts.ts';
import { makeTool } from '../call/tool.ts';

export const INBOX = makeTool({
  name: 'inbox',
  description: 'Everything that waits for a person: gates, questions of agents, permissions, conflicts, ceilings.',
  input: z.object({ run: z.string().optional().describe('default: all runs') }),
  changes: false,
  run: async ({ run }, { mcp }) =>
    await withMcpStore(mcp, 'read', (open) => {
      const named = run === undefined ? undefined : chooseRun(open.store, run).run;
      const waiting = mcp
        .summaries(open)
        .filter((each) => named === undefined || each.run.run === named)
        .flatMap((each) => each.waiting.map((item) => waitingItemText(each.run.run, item)));
      return waiting.length === 0 ? 'Nothing waits for a person.' : waiting.join('\n\n');
    }),
});
