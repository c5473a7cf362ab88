// `heddle mcp install` and `uninstall`: shows the change of a client's settings, asks, and makes it.
import { proposeSettings, writeSettings, type ClientSettingsRequest } from '../../app/connect/client-settings.ts';
import type { McpClient } from '../../app/connect/mcp-clients.ts';
import { findProject, mustNotBeNested } from '../../app/project.ts';
import { confirmed } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';

export interface InstallFlags {
  readonly project: boolean;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

type UninstallFlags = Omit<InstallFlags, 'readOnly'>;

export const installMcp = (terminal: Terminal, client: McpClient, flags: InstallFlags): Promise<ExitCode> =>
  changeSettings(terminal, { client, isReadOnly: flags.readOnly, isRemoval: false }, flags);

export const uninstallMcp = (terminal: Terminal, client: McpClient, flags: UninstallFlags): Promise<ExitCode> =>
  changeSettings(terminal, { client, isReadOnly: false, isRemoval: true }, flags);

async function changeSettings(
  terminal: Terminal,
  request: Pick<ClientSettingsRequest, 'client' | 'isReadOnly' | 'isRemoval'>,
  flags: UninstallFlags,
): Promise<ExitCode> {
  mustNotBeNested();
  const { project: isOfProject, json } = flags;
  const { client, isRemoval } = request;
  const change = proposeSettings({ ...request, project: findProject(), isOfProject });
  const { file, before, after } = change;
  const say = json ? terminal.err : terminal.out;
  const isSame = (before ?? '') === after;
  if (isSame) say(`${file} has ${isRemoval ? 'no Heddle' : 'Heddle already'}; nothing was changed.`);
  else
    say(
      [`${before === undefined ? 'New file' : 'Change of'} ${file}`, ...diffLines(terminal, before ?? '', after)].join(
        '\n',
      ),
    );
  const isMade = !isSame && !flags.dryRun && (await confirmed(terminal, 'Make this change?', flags.yes));
  if (isMade) writeSettings(change);
  if (isMade) say(`Done. ${client} has ${isRemoval ? 'no' : 'the'} tools of Heddle from its next start on.`);
  else if (!isSame && !flags.dryRun) terminal.err('Nothing was done.');
  if (json) terminal.out(JSON.stringify({ client, file, isSame, isMade, after }, undefined, 2));
  return EXIT.done;
}

const CONTEXT = 2;

/** The lines that differ, which are in one place, with a few around them. */
function diffLines(terminal: Terminal, before: string, after: string): readonly string[] {
  const [old, now] = [before === '' ? [] : before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  const differs = old.findIndex((line, at) => line !== now[at]);
  const start = differs === -1 ? most : Math.min(differs, most);
  let same = 0;
  while (same < most - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const around = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
  return [
    ...around(old.slice(Math.max(0, start - CONTEXT), start)),
    ...old.slice(start, old.length - same).map((line) => paint(terminal, 'bad', `- ${line}`)),
    ...now.slice(start, now.length - same).map((line) => paint(terminal, 'good', `+ ${line}`)),
    ...around(old.slice(old.length - same).slice(0, CONTEXT)),
  ];
}
