import { EXIT, type ExitCode } from '../exit-code.ts';
import { lookAtHome } from '../run/look-at-home.ts';
import { lookAtSystem } from '../../app/git/look-at-system.ts';
import { mend } from '../../app/git/mend.ts';
import type { Remark } from '../../app/git/remark.ts';
import { findProject, mustHaveRoom } from '../../app/project.ts';
import { paint, type Style, type Terminal } from '../terminal.ts';

export interface DoctorFlags {
  readonly fix: boolean;
  readonly json: boolean;
}

/** `heddle doctor`: what works here, what is wrong, and what to do about it. */
export async function doctor(terminal: Terminal, { fix, json }: DoctorFlags): Promise<ExitCode> {
  const project = findProject();
  mustHaveRoom(project);
  const mended = fix ? await mendHome() : [];
  const system = await lookAtSystem(project);
  const { remarks: left, open } = await lookAtHome(project);
  open?.store.close();
  const remarks = [...system, ...left];
  const isWell = remarks.every(({ is }) => is !== 'bad');
  if (json) terminal.out(JSON.stringify({ ok: isWell, mended, remarks }, undefined, 2));
  else terminal.out([...mended, ...remarks.flatMap((remark) => linesFor(terminal, remark))].join('\n'));
  return isWell ? EXIT.done : EXIT.someFailed;
}

async function mendHome(): Promise<readonly string[]> {
  const { open, unwanted } = await lookAtHome(findProject());
  if (open === undefined) return [];
  const says = await mend(open, unwanted);
  open.store.close();
  return says;
}

const SIGNS: Readonly<Record<Remark['is'], readonly [Style, string]>> = {
  good: ['good', '✓'],
  absent: ['quiet', '·'],
  odd: ['warn', '!'],
  bad: ['bad', '✗'],
};

const ABOUT_COLUMNS = 10;

function linesFor(terminal: Terminal, { about, is, says, remedy }: Remark): readonly string[] {
  const [style, sign] = SIGNS[is];
  const line = `${paint(terminal, style, sign)} ${about.padEnd(ABOUT_COLUMNS)} ${says}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(ABOUT_COLUMNS + 3)}${paint(terminal, 'quiet', remedy)}`];
}
