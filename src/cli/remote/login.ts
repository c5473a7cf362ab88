// `heddle login`: tries a token at its server, and stores it for the calls to come.
import { tokenIn } from '../../app/hosts/read-token.ts';
import { readText } from '../../app/plan/read-file.ts';
import { canAsk, secretTyped } from '../terminal/ask.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callServer, EXEC_PATH } from './call-server.ts';
import { authoritiesIn, serverUrl, storeToken, type ServerFlags } from './choose-server.ts';
import { callOf } from './run-there.ts';

export interface LoginFlags extends ServerFlags {
  readonly json: boolean;
}

export async function login(terminal: Terminal, address: string, flags: LoginFlags): Promise<ExitCode> {
  const url = serverUrl(address, flags.insecure === true);
  const token = tokenIn(flags.tokenFile ?? 'standard input', await given(terminal, url, flags.tokenFile));
  const call = callOf(terminal, { words: ['runs'], outputs: [], files: [] });
  // Its reply begins only for a token that opens commands; what it says does not matter.
  const response = await callServer(
    { url, token, authorities: authoritiesIn(flags) },
    { path: EXEC_PATH, body: JSON.stringify(call) },
  );
  response.destroy();
  const file = storeToken(url, token);
  if (flags.json) terminal.out(JSON.stringify({ server: url.origin, file }));
  else terminal.out(`${url.host} takes the token. It is in ${file}; heddle … --on ${url.origin} uses it.`);
  return EXIT.done;
}

async function given(terminal: Terminal, { host }: URL, file: string | undefined): Promise<string> {
  if (file !== undefined) return readText(file);
  if (!canAsk(terminal)) return readText('-');
  const typed = await secretTyped(`Token for ${host}, which is not shown: `);
  if (typed === undefined) throw new CommandFailure('No token was given, so nothing was stored.');
  return typed;
}
