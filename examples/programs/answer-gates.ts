// A bot that answers gates: it approves those whose question matches a pattern, leaves all others to people, and continues the
// run. node answer-gates.ts 'docs|changelog'
import { control, resume, status } from 'heddle';

const approved = new RegExp(process.argv[2] ?? '^$', 'i');

const now = await status();
if (now.type === 'refused') {
  console.error(`No run to look at: ${now.refusal.code}`);
  process.exit(2);
}
const { run } = now;
const gates = now.status.questions.filter(({ answers }) => answers.includes('approve'));
const mine = gates.filter(({ text }) => approved.test(text));
for (const { task, step, text } of mine) {
  const done = await control({ run, command: 'approve', tasks: [task], step });
  console.log(`${task}: “${text}” ${done.type === 'refused' ? `refused: ${done.refusal.code}` : 'approved'}`);
}
for (const { task, text } of gates.filter((gate) => !mine.includes(gate)))
  console.log(`${task}: “${text}” is for a person`);

if (mine.length > 0 && !now.hasCoordinator) {
  const resumed = await resume({ run });
  console.log(resumed.type === 'over' ? `over: ${resumed.over.type}` : `refused: ${resumed.refusal.code}`);
}
