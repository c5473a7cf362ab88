import { diagnose } from '../../app/doctor/diagnose.ts';
import type { Level } from '../../app/doctor/finding.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Style } from '../../core/view/text/styled-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { findingText, repairText, type FindingText } from '../text/finding-text.ts';

export interface DoctorFlags {
  readonly fix: boolean;
  readonly json: boolean;
}

/** `heddle doctor`: findings about this machine and project, with a remedy for each. */
export async function doctor(terminal: Terminal, { fix, json }: DoctorFlags): Promise<ExitCode> {
  const { isWell, repairs, findings } = await diagnose({ repairs: fix });
  const repaired = repairs.map(repairText);
  const told = findings.map((finding) => ({ code: finding.code, is: finding.level, ...findingText(finding) }));
  if (json) terminal.out(JSON.stringify({ ok: isWell, repaired, findings: told }, undefined, 2));
  else terminal.out([...repaired, ...told.flatMap((each) => linesFor(terminal, each))].join('\n'));
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
