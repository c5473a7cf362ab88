// `control`: pauses, resumes, stops, cancels, skips or retries, after the person has seen what that does.
import { z } from 'zod';
import { chooseRun, hasCoordinator } from '../../app/open-project.ts';
import { mustBeOfUse } from '../../app/run/command-reply.ts';
import { sendCommand } from '../../app/web/send-command.ts';
import type { ControlCommand } from '../../core/engine/command.ts';
import { commandLine } from '../../core/view/text/command-line.ts';
import { replyText } from '../../core/view/text/command-reply-text.ts';
import { yesField } from '../call/confirmation.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { sentText } from '../call/sent-text.ts';
import { makeTool } from '../call/tool.ts';
import { quotedLines } from '../call/tool-reply.ts';
import { RUN_FIELD } from './status-tool.ts';

const WORDS = ['pause', 'resume', 'stop', 'cancel', 'skip', 'retry'] as const;

export const CONTROL = makeTool({
  name: 'control',
  description:
    'Control a run or tasks of it; asks the person. pause starts nothing more; stop also ends running steps; resume goes on; cancel ends for good; skip counts tasks as done; retry runs failed tasks again.',
  input: z.object({
    ...RUN_FIELD,
    do: z.enum(WORDS),
    tasks: z.array(z.string()).optional().describe('default: the whole run'),
    tell: z.string().optional().describe('retry: words for the agents'),
  }),
  changes: true,
  run: async ({ run, do: word, tasks = [], tell }, { mcp, ask, signal }) =>
    await withMcpStore(mcp, 'control', async (open) => {
      const record = chooseRun(open.store, run);
      const command: ControlCommand = word === 'retry' ? { type: word, tasks, text: tell } : { type: word, tasks };
      const isUp = hasCoordinator(open, record);
      const { reply } = mustBeOfUse(open.store, record, [command]);
      const what = tasks.length === 0 ? record.run : `${tasks.join(', ')} of ${record.run}`;
      const answered = await ask({
        tool: 'control',
        run: record.run,
        position: open.store.endOf(record.run),
        message: [
          `${word} ${what}?`,
          replyText(reply),
          ...(isUp ? [] : [`No process runs ${record.run} now; this starts one where it is needed.`]),
          ...(tell === undefined ? [] : ['Words for the agents:', quotedLines(tell)]),
        ].join('\n'),
        expects: JSON.stringify([command, isUp]),
        field: yesField(`${word} ${what}`),
        commandLine: commandLine(record.run, command),
      });
      if (answered.type === 'reply') return answered.reply;
      if (answered.value !== true) return 'The person did not say yes. Nothing was done.';
      const sent = await sendCommand(open, { record, command, starts: true, hasGone: () => signal.aborted });
      return sentText(record, sent);
    }),
});
