import { diagnose } from '../../app/doctor/diagnose.ts';
import { failureText, treeCauseText, type SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { lockText, repositoryNoteText, sandboxRepairText } from '../text/sandbox-repair-text.ts';
import type { Level, Finding, NamedWorker, Repair } from '../../app/doctor/finding.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Style } from '../../core/view/text/styled-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { ISOLATION_TEXTS } from '../../core/engine/events/event-fields.ts';
import { missingServerText } from '../../core/protocol/missing-server.ts';
import { formatDuration } from '../../core/view/chart/format.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';
import { firstOf, plural } from '../../core/view/text/count-text.ts';
import { storeFailureText } from '../../core/view/text/store-failure-text.ts';

export interface DoctorFlags {
  readonly fix: boolean;
  readonly json: boolean;
}

/** `heddle doctor`: findings about this machine and project, with a remedy for each. */
export async function doctor(terminal: Terminal, { fix, json }: DoctorFlags): Promise<ExitCode> {
  const { isWell, repairs, findings } = await diagnose({ repairs: fix });
  const repaired = repairs.map(repairText);
  const shown = findings.map((finding) => ({ code: finding.code, is: finding.level, ...findingText(finding) }));
  if (json) terminal.out(JSON.stringify({ ok: isWell, repaired, findings: shown }, undefined, 2));
  else terminal.out([...repaired, ...shown.flatMap((each) => linesFor(terminal, each))].join('\n'));
  return isWell ? EXIT.done : EXIT.someFailed;
}

const SIGNS: Readonly<Record<Level, readonly [Style, string]>> = {
  good: ['good', '✓'],
  absent: ['quiet', '·'],
  odd: ['warn', '!'],
  bad: ['bad', '✗'],
};

const ABOUT_COLUMNS = 10;

function linesFor(
  terminal: Terminal,
  { about, is, says, remedy }: FindingText & { readonly is: Level },
): readonly string[] {
  const [style, sign] = SIGNS[is];
  const line = `${paint(terminal, style, sign)} ${about.padEnd(ABOUT_COLUMNS)} ${says}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(ABOUT_COLUMNS + 3)}${paint(terminal, 'quiet', remedy)}`];
}

interface FindingText {
  readonly about: 'git' | 'trees' | 'isolation' | 'agents' | 'store' | 'runs' | 'workers' | 'left over' | 'disk';
  readonly says: string;
  /** The remedy, where there is one. */
  readonly remedy: string | undefined;
}

type Of<Code extends Finding['code']> = Extract<Finding, { code: Code }>;

const GIB = 1024 ** 3;

/** One text for each code; a code without one does not compile. */
const TEXTS: { readonly [Code in Finding['code']]: (finding: Of<Code>) => FindingText } = {
  git: ({ version, program }) => text('git', `${version} (${program})`),
  'git-missing': ({ least }) => text('git', 'There is no git on the PATH.', installGit(least)),
  'git-old': ({ version, least }) => text('git', `${version} cannot merge in memory.`, installGit(least)),
  'git-note': ({ remark }) => text('git', repositoryNoteText(remark)),
  'sandboxes-refused': ({ failure }) =>
    text('git', failureText(failure), 'Repair that, or run in place with heddle run --no-git.'),
  tree: ({ tree, isChosen }) => text('trees', `${tree} works${isChosen ? ', and is what runs get' : ''}`),
  'tree-absent': ({ tree, failure }) => text('trees', treeAbsentText(tree, failure)),
  isolated: ({ why }) => text('isolation', `Sandboxes are ${ISOLATION_TEXTS[why]}.`),
  'not-isolated': ({ why }) =>
    text(
      'isolation',
      `Sandboxes are ${ISOLATION_TEXTS[why]}.`,
      'Agents can read and change everything that you can, until that is repaired.',
    ),
  'isolation-failed': ({ failure }) => text('isolation', failureText(failure)),
  agent: ({ agent, path }) => text('agents', `${agent} (${path})`),
  'agent-without-login': ({ agent, path, hint }) =>
    text('agents', `${agent} (${path}), without a sign of a log-in`, hint),
  'servers-missing': ({ agent, missing }) => text('agents', `${agent}: ${missing.map(missingServerText).join(' ')}`),
  'agents-missing': ({ agents, isAll }) =>
    text(
      'agents',
      `not on the PATH: ${agents.join(', ')}`,
      isAll ? 'Install the agent that your plans name; plans of commands need none.' : undefined,
    ),
  disk: ({ level, freeBytes }) =>
    text(
      'disk',
      `${(freeBytes / GIB).toFixed(1)} GiB free where sandboxes are made`,
      level === 'good' ? undefined : 'Make room; heddle doctor --fix removes sandboxes of runs that have ended.',
    ),
  'nothing-ran': () => text('store', 'Nothing has run here yet.'),
  store: ({ runs, coordinators }) =>
    text('store', `${plural(runs, 'run')}, ${plural(coordinators, 'coordinator')} running`),
  'store-unreadable': ({ failure }) =>
    text(
      'store',
      storeFailureText(failure),
      'What could be read of it was kept beside it; move the store away to start afresh.',
    ),
  'repository-unreadable': ({ folder, stderr }) =>
    text(
      'store',
      `The repository that keeps the work of runs cannot be opened: ${stderr}`,
      `Put a good copy of ${folder} in its place. Or move it away: branches heddle/… stay, and heddle run makes a new one.`,
    ),
  'run-unreadable': ({ run, refusal }) =>
    text('store', refusalText(refusal), `heddle recover ${run} lists what it made.`),
  'run-without-coordinator': ({ run }) =>
    text(
      'runs',
      `${run} has not ended, and has no coordinator.`,
      `heddle resume ${run} goes on, heddle cancel ${run} ends it.`,
    ),
  'workers-without-coordinator': ({ run, workers }) =>
    text(
      'workers',
      `Running for ${run}, which has no coordinator: ${named(workers)}`,
      `heddle resume ${run} takes them over, heddle cancel ${run} ends them.`,
    ),
  'workers-silent': ({ run, workers }) =>
    text(
      'workers',
      `Silent in ${run}: ${named(workers)}`,
      workers.some(({ isFrozen }) => isFrozen)
        ? 'heddle doctor --fix lets those go on that a signal has stopped.'
        : `Look at heddle logs, and end them with heddle cancel ${run} TASK when they hang.`,
    ),
  'sandboxes-left': ({ sandboxes }) => {
    const { shown, more } = firstOf(sandboxes, NAMED_MAX);
    const names = shown.map(({ run, task }) => `${run}/${task}`).join(', ');
    return text(
      'left over',
      `Sandboxes of runs that have ended: ${names}${more > 0 ? ` and ${more} more` : ''}`,
      'heddle doctor --fix keeps what is in them behind refs and removes them.',
    );
  },
  'ports-left': ({ ports }) =>
    text(
      'left over',
      `${plural(ports.length, 'port')} of sandboxes that are gone: ${ports.join(', ')}`,
      'heddle doctor --fix gives them back; so does the next run.',
    ),
  'candidates-left': ({ count }) => text('left over', `${plural(count, 'tree')} of checks that were killed`, REMOVES),
  'locks-left': ({ folder, locks }) =>
    text('left over', `${plural(locks.length, 'lock')} in ${folder}: ${locks.join(', ')}`, REMOVES),
  'landing-killed': ({ ref }) =>
    text('left over', `A landing on ${ref} was killed before it was done.`, 'heddle land repairs it and lands again.'),
};

function findingText(finding: Finding): FindingText {
  // The table has one text for each code, which a lookup by a union of codes cannot express.
  const text = TEXTS[finding.code] as (finding: Finding) => FindingText;
  return text(finding);
}

function repairText(repair: Repair): string {
  switch (repair.code) {
    case 'worker-continued':
      return `Let the worker of ${repair.run}/${repair.task} go on (process ${repair.pid}), which a signal had stopped.`;
    case 'sandbox-removed':
      return `Removed the sandbox of ${repair.run}/${repair.task}.`;
    case 'salvaged':
      return `Kept what was not committed as ${repair.ref}.`;
    case 'git':
      return failureText(repair.failure);
    case 'lock':
      return lockText(repair);
    case 'kept-unsaved':
    case 'kept-unknown':
    case 'half-made':
    case 'candidate':
    case 'set-up':
    case 'left-over':
      return sandboxRepairText(repair);
  }
}

const NAMED_MAX = 5;
const REMOVES = 'heddle doctor --fix removes them; so does the next run.';

const text = (about: FindingText['about'], says: string, remedy?: string): FindingText => ({ about, says, remedy });

const installGit = (least: string): string => `Install git ${least} or later; heddle run --no-git works without.`;

const named = (workers: readonly NamedWorker[]): string => workers.map(workerNamed).join(', ');

/** Heartbeats come every few seconds, so a shorter silence is normal. */
const SILENCE_SAID_MS = 15_000;

function workerNamed({ task, pid, silentMs, isFrozen }: NamedWorker): string {
  const about = [
    `process ${pid}`,
    ...(silentMs < SILENCE_SAID_MS ? [] : [`silent for ${formatDuration(silentMs)}`]),
    ...(isFrozen ? ['stopped by a signal'] : []),
  ];
  return `${task} (${about.join(', ')})`;
}

/** Advice for a plan is of no use to a person who checks the machine. */
const treeAbsentText = (tree: string, failure: SandboxFailure): string =>
  failure.code === 'tree-unavailable'
    ? `${tree} does not work here: ${failure.causes.map(treeCauseText).join(' ')}`
    : failureText(failure);
