// `task`: one task of a run. The one tool that works inside a step of a run, and there for the step's own task alone.
import { z } from 'zod';
import { chooseRun } from '../../app/open-project.ts';
import { readOwnTask } from '../../app/read/read-own-task.ts';
import { readTask } from '../../app/read/read-task.ts';
import { mustBeOwn } from '../call/own-task.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { ownTaskText, taskText } from '../call/run-texts.ts';
import { makeTool } from '../call/tool.ts';
import { failed } from '../call/tool-reply.ts';
import { RUN_FIELD } from './status-tool.ts';

const TAIL_BYTES = 4_000;

export const TASK = makeTool({
  name: 'task',
  description: 'One task: why it waits or failed, its last turns, the end of its output, what it changed.',
  input: z.object({ ...RUN_FIELD, task: z.string().optional().describe('dotted path, as reviews.security') }),
  changes: false,
  run: async (given, { mcp }) => {
    const { run, task } = mustBeOwn(mcp, given);
    if (task === '') return failed('Name the task: status lists them.');
    const own = mcp.own === undefined ? undefined : readOwnTask(mcp.project, { tags: mcp.own, tailBytes: TAIL_BYTES });
    if (own !== undefined) return ownTaskText(own);
    return await withMcpStore(mcp, 'read', async (open) =>
      taskText(await readTask(open, chooseRun(open.store, run), { task, tailBytes: TAIL_BYTES })),
    );
  },
});
