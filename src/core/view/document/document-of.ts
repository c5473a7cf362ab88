// The document of a report: one sentence on the result, the facts, and a section for each topic that has content.
import { sandboxesText } from '../../engine/events/event-fields.ts';
import { formatCount, formatDuration, formatMoney } from '../chart/format.ts';
import { TASK_STATES } from '../run/stage.ts';
import type { Report } from '../report/run-report.ts';
import { counted, dateText, shortId, speedText, type Document, type Fact, type Section } from './document.ts';
import { agentSection, budgetSection, commitSection, poolSection } from './uses-sections.ts';
import {
  checkSection,
  conflictSection,
  failureSection,
  timelineSection,
  pathSection,
  questionSection,
  retrySection,
  taskSection,
} from './work-sections.ts';

export function documentOf(report: Report): Document {
  const { run, stage, result } = report;
  return {
    title: `Run ${run}`,
    lead: leadOf(report),
    mood: result === 'done' ? 'good' : result === 'failed' || report.counts.failed > 0 ? 'bad' : 'open',
    facts: factsOf(report),
    sections: [
      failureSection(report),
      questionSection(report),
      taskSection(report),
      retrySection(report),
      conflictSection(report),
      checkSection(report),
      commitSection(report),
      agentSection(report),
      budgetSection(report),
      poolSection(report),
      pathSection(report),
      timelineSection(report),
    ].filter((section): section is Section => section !== undefined && (stage !== 'new' || section.blocks.length > 0)),
  };
}

function leadOf({ name, stage, pausedFor, counts, total, times, budgets }: Report): string {
  const [whole] = budgets;
  const spent = whole === undefined || whole.spent.usd === 0 ? '' : ` for ${formatMoney(whole.spent.usd)}`;
  const others = TASK_STATES.filter((state) => state !== 'completed' && counts[state] > 0);
  const rest = others.map((state) => `, ${counts[state]} ${state}`).join('');
  const went = `${counts.completed} of ${counted(total, 'task')} done${rest}`;
  const time = formatDuration(times.elapsedMs);
  if (stage === 'ended') return `${name}: ${went} in ${time}${spent}.`;
  const why = pausedFor === undefined ? '' : ` Paused by itself: ${pausedFor}`;
  const stands = stage === 'paused' ? `paused after ${time}` : `not over after ${time}`;
  return `${name}: ${stands}; ${went}${spent}.${why}`;
}

function factsOf(report: Report): readonly Fact[] {
  const { file, startedAt, endedAt, asOf, times, budgets, base, sandboxes, git, coordinators, questions } = report;
  const [whole] = budgets;
  const waited = [
    ...(times.askingMs === 0 ? [] : [`${formatDuration(times.askingMs)} for people`]),
    ...(times.pausedMs === 0 ? [] : [`${formatDuration(times.pausedMs)} while paused`]),
  ];
  const open = questions.filter(({ answer }) => answer === undefined).length;
  return [
    ['Plan', file],
    ['Began', dateText(startedAt)],
    endedAt === undefined ? ['As of', dateText(asOf)] : ['Ended', dateText(endedAt)],
    ['Time at work', `${formatDuration(times.activeMs)}, at most ${times.peak} at once`],
    ['Speed', speedText(times)],
    ...(waited.length === 0 ? [] : [['Waited', waited.join(', ')] as const]),
    ...(whole === undefined ? [] : [['Spent', spendText(whole)] as const]),
    ...(open === 0 ? [] : [['Waits for a person', counted(open, 'question')] as const]),
    ...(base === undefined ? [['Works', 'in place, without git'] as const] : [['Base', shortId(base)] as const]),
    ...(sandboxes === undefined ? [] : [['Sandboxes', sandboxesText(sandboxes)] as const]),
    ...(git === undefined ? [] : [['Branch', branchText(git)] as const]),
    ...(coordinators === undefined || coordinators < 2
      ? []
      : [['Coordinators', `${coordinators}, one after the other`] as const]),
  ];
}

function spendText({ spent, ceiling, reserved }: Report['budgets'][number]): string {
  const usd = `${formatMoney(spent.usd)}${ceiling.usd === undefined ? '' : ` of ${formatMoney(ceiling.usd)}`}`;
  const tokens = `${formatCount(spent.tokens)}${ceiling.tokens === undefined ? '' : ` of ${formatCount(ceiling.tokens)}`}`;
  const reservation = reserved.usd === 0 ? '' : `; ${formatMoney(reserved.usd)} reserved`;
  return `${usd}, ${tokens} tokens${reservation}`;
}

function branchText({ branch, tip, target, commits }: NonNullable<Report['git']>): string {
  const landed = commits.filter(({ isLanded }) => isLanded).length;
  const where = target === undefined ? '' : `, ${landed} of ${commits.length} on ${target}`;
  return `${branch}${tip === undefined ? '' : ` at ${shortId(tip)}`}: ${counted(commits.length, 'merge')}${where}`;
}
