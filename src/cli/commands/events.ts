import { chooseRun, openProject } from '../../app/open-project.ts';
import { readEvents } from '../../app/read/read-events.ts';
import type { Exported } from '../../app/telemetry/export-run.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { otlpErrorText, untakenText } from '../text/telemetry-text.ts';

export interface EventsFlags {
  readonly follow: boolean;
  readonly raw: boolean;
}

/** `heddle events`: the log, a line for each event; with `-f` until the run has no coordinator any more. */
export async function events(terminal: Terminal, run: string | undefined, flags: EventsFlags): Promise<ExitCode> {
  const open = openProject('read');
  const record = chooseRun(open.store, run);
  for await (const { event, progress } of readEvents(open, record, { follows: flags.follow }))
    terminal.out(JSON.stringify(flags.raw ? event : progress));
  open.store.close();
  return EXIT.done;
}

export interface TraceFlags {
  readonly otlp: string | undefined;
  readonly json: boolean;
}

/** `heddle trace`: the spans of a run, printed or sent to a collector. */
export async function trace(terminal: Terminal, named: string | undefined, flags: TraceFlags): Promise<ExitCode> {
  const { otlp: address, json } = flags;
  if (json && address !== undefined)
    throw new CommandFailure('Give --json to print the spans, or --otlp to send them.');
  // The log is printed more often than its spans are.
  const { exportRun, otlpOfRun } = await import('../../app/telemetry/export-run.ts');
  const open = openProject('read');
  try {
    const record = chooseRun(open.store, named);
    if (json) {
      terminal.out(JSON.stringify(otlpOfRun(open, record)));
      return EXIT.done;
    }
    return tell(terminal, record.run, await exportRun(open, record, { address }));
  } finally {
    open.store.close();
  }
}

function tell(terminal: Terminal, run: string, exported: Exported): ExitCode {
  switch (exported.type) {
    case 'nowhere':
      throw new CommandFailure(
        'No collector is named, or OTEL_SDK_DISABLED or telemetry: none turns traces off. Give --otlp http://localhost:4318, set OTEL_EXPORTER_OTLP_ENDPOINT, or print the spans with --json.',
      );
    case 'wrong':
      throw new CommandFailure(`Nothing was sent: ${otlpErrorText(exported.error)}`);
    case 'exported': {
      const { sent, dropped, left, why, host } = exported;
      const because = why === undefined ? '' : ` (${untakenText(why)})`;
      if (left > 0 || dropped > 0)
        terminal.err(`${host} took ${sent} spans of ${run}, refused ${dropped}, and ${left} were not sent${because}.`);
      else terminal.err(`${host} took ${sent} spans of ${run}.`);
      return left > 0 || dropped > 0 ? EXIT.someFailed : EXIT.done;
    }
  }
}
