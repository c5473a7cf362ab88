// Handles a run's result at its end: lands it, asks, or leaves it, by the plan's `merge.auto`.
import type { State } from '../../core/engine/state.ts';
import type { RunRecord, OpenProject } from '../../app/open-project.ts';
import { canAsk } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface AtEnd {
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly state: State;
  readonly json: boolean;
  /** Whether this process was the coordinator; a follower lands nothing by itself. */
  readonly isOurs: boolean;
}

/** Undefined when landing does not affect the exit code. */
export async function landAtEnd(terminal: Terminal, atEnd: AtEnd): Promise<ExitCode | undefined> {
  const { state, record, json, isOurs } = atEnd;
  const { base } = state.run;
  if (base === undefined) return undefined;
  const { plan } = state.compiled;
  const { auto } = plan.settings.merge;
  const print = json ? terminal.err : terminal.out;
  const { whatLands } = await import('../../app/git/what-to-land.ts');
  const { done, isWhole } = whatLands(state);
  if (!done.some((path) => hasWork(state, path))) return undefined;
  const how = isWhole
    ? `heddle land ${record.run} lands it`
    : `heddle land ${record.run} --completed lands what is done`;
  const isAsked = isWhole && auto === 'confirm' && canAsk(terminal) && !json;
  const isLanded = isWhole && auto === 'auto' && isOurs;
  if (!isAsked && !isLanded) {
    if (!(isWhole && auto === 'auto')) print(`${how}.`);
    return undefined;
  }
  return await land(terminal, { ...atEnd, print, isAnswered: isLanded });
}

const hasWork = ({ compiled, tasks, run }: State, path: string): boolean => {
  const tip = tasks[compiled.indexOf.get(path) ?? -1]?.tip;
  return tip !== undefined && tip !== run.base;
};

interface Landing extends AtEnd {
  readonly print: (text: string) => void;
  readonly isAnswered: boolean;
}

async function land(terminal: Terminal, { open, record, print, isAnswered }: Landing): Promise<ExitCode | undefined> {
  const { confirmed } = await import('../terminal/ask.ts');
  const { landInGit } = await import('../../app/git/land-in-git.ts');
  const { checkingText, landingExit, landingLines, previewText } = await import('../text/landing-text.ts');
  const { openRunInGit } = await import('../../app/git/open-run.ts');
  const { run } = record;
  const outcome = await landInGit(open.project, await openRunInGit(open, record), {
    onto: undefined,
    how: 'auto',
    isDry: false,
    confirm: (preview) => confirmed(terminal, `Land ${previewText(run, preview)}?`, isAnswered),
    onCheck: (checking) => terminal.err(checkingText(checking)),
  });
  print(landingLines(run, outcome).join('\n'));
  const exit = landingExit(outcome);
  if (outcome.type === 'declined' || exit !== EXIT.done) print(`heddle land ${run} lands it.`);
  return exit === EXIT.done ? undefined : exit;
}
