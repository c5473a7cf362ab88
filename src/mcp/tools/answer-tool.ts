// `answer`: puts a question of a run to the person, and gives the run the person's answer.
//
// answer-tool/A1. The answer is what the person enters. A proposal of the model is only shown beside the question.
import { z } from 'zod';
import { chooseRun, type OpenProject, type RunRecord } from '../../app/open-project.ts';
import { Refused } from '../../app/refused.ts';
import { sendCommand, type CommandSent } from '../../app/web/send-command.ts';
import { foldRun } from '../../app/fold-run.ts';
import { commandFor } from '../../core/view/run/answer-command.ts';
import { openQuestion, type OpenQuestion } from '../../core/view/run/open-question.ts';
import { commandLine } from '../../core/view/text/command-line.ts';
import type { PersonQuestion } from '../call/confirmation.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { sentText } from '../call/sent-text.ts';
import { makeTool } from '../call/tool.ts';
import { failed, quotedLines } from '../call/tool-reply.ts';
import { RUN_FIELD } from './status-tool.ts';

export const ANSWER = makeTool({
  name: 'answer',
  description: 'Put an open question of a run to the person and pass on what they answer. You may propose an answer.',
  input: z.object({
    ...RUN_FIELD,
    task: z.string(),
    step: z.string().optional().describe('when several steps of it ask'),
    propose: z.string().optional().describe('shown beside the question'),
  }),
  changes: true,
  run: async ({ run, task, step, propose }, { mcp, ask, signal }) =>
    await withMcpStore(mcp, 'control', async (open) => {
      const record = chooseRun(open.store, run);
      const { question, position } = mustBeAsking(open, record, { task, step });
      if (question.answers.includes('merge')) return failed(conflictText(record, question));
      const answered = await ask({
        tool: 'answer',
        run: record.run,
        position,
        message: messageOf(record, question, propose),
        expects: JSON.stringify([question.task, question.step, question.attempt]),
        field: fieldOf(question),
        commandLine: commandLinesFor(record, question),
      });
      if (answered.type === 'reply') return answered.reply;
      const command = commandFor(question, answered.value);
      if (command === undefined) return failed(`Nothing was done: ${question.answers.join(', ')} are the answers.`);
      const sent: CommandSent = await sendCommand(open, {
        record,
        command,
        starts: false,
        hasGone: () => signal.aborted,
      });
      return `${String(answered.value)}: ${sentText(record, sent)}`;
    }),
});

interface AskedTask {
  readonly task: string;
  readonly step: string | undefined;
}

interface Asked {
  readonly question: OpenQuestion;
  readonly position: number;
}

function mustBeAsking(open: OpenProject, record: RunRecord, { task, step }: AskedTask): Asked {
  const { state, position } = foldRun(open.store, record);
  const given = { inputs: state.run.inputs, env: {} };
  const questions = [...state.questions.values()].map((each) => openQuestion(state, each, given));
  const found = questions.filter((each) => each.task === task && (step === undefined || each.step === step));
  const [question, ...others] = found;
  if (question === undefined) throw new Refused({ code: 'no-question', run: record.run });
  if (others.length > 0)
    throw new Refused({ code: 'several-questions', run: record.run, tasks: found.map((each) => each.step ?? '') });
  return { question, position };
}

function messageOf({ run }: RunRecord, { task, text }: OpenQuestion, propose: string | undefined): string {
  const proposal = propose === undefined ? [] : ['The assistant proposes:', quotedLines(propose)];
  return [`${task} of ${run} asks:`, quotedLines(text), ...proposal].join('\n');
}

/** One of the words where there are only words, else a text. */
function fieldOf({ answers }: OpenQuestion): PersonQuestion['field'] {
  const name = 'answer';
  if (answers.includes('answer')) {
    const words = answers.filter((each) => each !== 'answer');
    return { name, schema: { type: 'string', title: `Your answer, or ${words.join(' or ')}`, minLength: 1 } };
  }
  return { name, schema: { type: 'string', title: 'Your answer', enum: [...answers] } };
}

/** One for each answer; a text is left to the person. */
const commandLinesFor = ({ run }: RunRecord, question: OpenQuestion): string =>
  question.answers
    .flatMap((answer) => commandFor(question, answer === 'answer' ? '…' : answer) ?? [])
    .map((command) => commandLine(run, command))
    .join(' or ');

const conflictText = ({ run }: RunRecord, { task }: OpenQuestion): string =>
  `${task} has a conflict, which takes an editor: heddle open ${task} --run ${run}, then heddle merge ${task}.`;
