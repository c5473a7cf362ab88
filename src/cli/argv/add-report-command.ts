// The command that tells what was done in a run. Its work is loaded only when it is called.
import { Option, type Command } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit-code.ts';
import { examples } from './options.ts';
import { REPORT_FORMATS } from './report-formats.ts';
import type { Terminal } from '../terminal.ts';

export function addReportCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  program
    .command('report')
    .description('report what was done in a run: by whom, cost, time, failures, conflicts, checks, commits')
    .argument('[run]', 'the run; the latest when none is named')
    .addOption(
      new Option('--format <format>', 'what to write; as the ending of --out says, else text').choices(REPORT_FORMATS),
    )
    .option('-o, --out <file>', 'write to a file')
    .option('--json', 'the same as --format json', false)
    .addHelpText(
      'after',
      examples(
        'heddle report',
        'heddle report checkout-flow-3 --format md > report.md',
        'heddle report --out report.html',
        'heddle report --json | jq .times.speedUp',
      ),
    )
    .action(async (run, { format, out, json }) => {
      const { report } = await import('../commands/report.ts');
      say(await report(terminal, run, { format: json ? 'json' : format, out }));
    });
}
