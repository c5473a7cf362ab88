// The program: one command line in, one exit code out. The only place that catches a bug of ours.
import { onWarning } from '../app/warnings.ts';
import { EXIT } from './terminal/exit-code.ts';
import { runProgram } from './program.ts';
import { openTerminal } from './terminal/terminal.ts';
import { storeWarningText } from '../core/view/text/store-failure-text.ts';

const terminal = openTerminal();
onWarning((warning) => terminal.err(storeWarningText(warning)));
try {
  process.exitCode = await runProgram(terminal, process.argv.slice(2));
} catch (bug) {
  terminal.err(
    `heddle: this is a bug of Heddle, and nothing was lost. ${bug instanceof Error ? bug.message : String(bug)}`,
  );
  if (process.env['HEDDLE_DEBUG'] !== undefined && bug instanceof Error) terminal.err(bug.stack ?? '');
  else terminal.err('Run it again with HEDDLE_DEBUG=1 to see where, and please report it.');
  // Unfinished work in this process would keep the run from its next coordinator.
  process.exit(EXIT.bug);
}
