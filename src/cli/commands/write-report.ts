import { extname } from 'node:path';
import { chartBySlot } from '../../core/view/chart/chart.ts';
import { drawTerminalChart } from '../../core/view/chart/terminal-chart.ts';
import { ganttOf } from '../../core/view/report/gantt.ts';
import { documentOf } from '../../core/view/document/document-of.ts';
import type { Report } from '../../core/view/report/run-report.ts';
import { writeJson } from '../../core/view/document/write-json.ts';
import { writeMarkdown } from '../../core/view/document/write-markdown.ts';
import { writeText } from '../../core/view/document/write-text.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { chooseRun, openProject } from '../../app/open-project.ts';
import { readReport } from '../../app/read/read-report.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import { paint, writeOutput, type Terminal } from '../terminal/terminal.ts';

type ReportFormat = 'text' | 'md' | 'json' | 'html';

export interface ReportFlags {
  readonly format: ReportFormat | undefined;
  readonly out: string | undefined;
}

const ROWS_SHOWN_MAX = 60;
/** With more tasks than this the chart has a row per parallel slot instead of per task. */
const BARS_SHOWN_MAX = 24;

/** `heddle report`: the report of a run, from its log and its workers' files. */
export async function report(
  terminal: Terminal,
  named: string | undefined,
  { format, out }: ReportFlags,
): Promise<ExitCode> {
  const open = openProject('read');
  const { report: clean, compiled } = await readReport(open, chooseRun(open.store, named));
  open.store.close();
  const { run } = clean;
  const chosen = format ?? formatOf(out);
  const written = await write(terminal, compiled, { report: clean, format: chosen, isFile: out !== undefined });
  writeOutput(terminal, out, [written]);
  if (out !== undefined && out !== '-') terminal.err(`The report of ${run} is in ${out}.`);
  return EXIT.done;
}

const ENDINGS: Readonly<Record<string, ReportFormat>> = {
  '.md': 'md',
  '.markdown': 'md',
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
  '.text': 'text',
  '.log': 'text',
  '': 'text',
};

function formatOf(out: string | undefined): ReportFormat {
  const format = ENDINGS[out === undefined ? '' : extname(out).toLowerCase()];
  if (format !== undefined) return format;
  throw new CommandFailure(`What ${out} should be its name does not say. Give --format text, md, json or html.`);
}

interface Writing {
  readonly report: Report;
  readonly format: ReportFormat;
  readonly isFile: boolean;
}

async function write(terminal: Terminal, compiled: Compiled, { report, format, isFile }: Writing): Promise<string> {
  switch (format) {
    case 'json':
      return writeJson(report);
    case 'md':
      return writeMarkdown(documentOf(report));
    case 'html': {
      const { writeHtml } = await import('../../core/view/document/write-html.ts');
      return writeHtml(compiled, report);
    }
    case 'text': {
      const painted = { colour: terminal.colour && !isFile };
      const { width } = terminal;
      const gantt = ganttOf(compiled, report);
      const chart = gantt.rows.length > BARS_SHOWN_MAX ? chartBySlot(gantt) : gantt;
      return writeText(documentOf(report), {
        width,
        rowsMax: isFile ? Infinity : ROWS_SHOWN_MAX,
        chart:
          report.spans.length === 0 ? '' : drawTerminalChart(chart, { width, ...painted, rowsMax: BARS_SHOWN_MAX }),
        heading: (text) => paint(painted, 'strong', text),
        quiet: (text) => paint(painted, 'quiet', text),
      });
    }
  }
}
