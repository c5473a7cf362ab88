import { openProject, chooseRun } from '../../app/open-project.ts';
import { mustNotBeNested, findProject } from '../../app/project.ts';
import { loadPlanToRun, planOf } from '../../app/plan/load-plan.ts';
import { missingServers } from '../../app/plan/missing-servers.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import type { CallingRepository } from '../../app/run/callers-base.ts';
import type { UserNotes } from '../../app/sandbox-parts.ts';
import { createRun } from '../../app/run/create-run.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { attach, startDetached, type AttachFlags } from '../attach/attach.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openWebBeside, type WebBesideFlags } from '../attach/web-beside.ts';
import { missingServerLines, unpricedLines, printDiagnostics } from '../text/diagnostic-text.ts';
import { userLines } from '../text/note-text.ts';
import { verdictLines } from '../text/proof-text.ts';

export interface RunFlags extends SettingsFlags, AttachFlags, WebBesideFlags {
  readonly detach: boolean;
  readonly policy: 'parallel' | 'serial';
  readonly seed: number | undefined;
  readonly input: readonly string[];
  readonly git: boolean;
}

/** `heddle run`: starts a run of a plan. */
export async function run(terminal: Terminal, file: string | undefined, flags: RunFlags): Promise<ExitCode> {
  mustNotBeNested();
  const loaded = loadPlanToRun(file, flags);
  const plan = planOf(loaded);
  printDiagnostics({ ...terminal, out: terminal.err }, loaded.diagnostics, loaded.texts);
  if (plan === undefined) return EXIT.wrong;
  for (const line of unpricedLines(terminal, loaded.unpriced)) terminal.err(line);
  const { git, input: inputs, policy, seed } = flags;
  // A run in place is not isolated.
  for (const line of git ? missingServerLines(terminal, await missingServers(plan)) : []) terminal.err(line);
  const caller = callerAt(terminal);
  const options = { project: findProject(), loaded, plan, isInPlace: !git, inputs, policy, seed, caller };
  const created = await createRun(options);
  if (created.type === 'unsound') {
    for (const line of verdictLines(terminal, created.proof)) terminal.err(line);
    return EXIT.wrong;
  }
  const { open, record, compiled, notes } = created;
  for (const line of notes === undefined ? [] : notesFor(terminal, notes)) terminal.err(line);
  if (flags.detach) return await startDetached(terminal, open, record);
  const beside = await openWebBeside(terminal, { project: open.project, run: record.run }, flags);
  const exit = await attach(terminal, open, { record, flags, compiled, linkFor: beside.linkFor });
  await beside.close();
  return exit;
}

/** Undefined for a person at this machine, and for one who calls from outside of every repository. */
function callerAt({ far }: Terminal): CallingRepository | undefined {
  return far?.checkout && { checkout: far.checkout, sendCommit: far.wantCommit };
}

/** What is not committed here is no concern of a person at another machine, who is told what is not committed there. */
const notesFor = ({ far }: Terminal, notes: UserNotes): readonly string[] =>
  userLines(far === undefined ? notes : { ...notes, changed: 0, untracked: 0 });

/** `heddle coordinate`: the process behind `run --detach`; it lives until the run is over. */
export async function coordinateRun(terminal: Terminal, named: string): Promise<ExitCode> {
  const open = openProject('control');
  const record = chooseRun(open.store, named);
  const flags = { json: false, plain: true, waitMs: Infinity, takeOver: false };
  return await attach(terminal, open, { record, flags });
}
