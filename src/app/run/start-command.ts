// Starts the process that carries out a command for a person at another machine: this very program, in the project's folder.
//
// start-command/S1. Nothing that the person sends is an argument or an environment value of the process.
// start-command/S2. The process knows no token and no other server: it works where it is.
import { join } from 'node:path';
import type { GrantedCommand } from '../../core/protocol/remote-command.ts';
import { startStreamed, type StreamedStarted } from '../../shell/exec/streamed-process.ts';
import { stepEnvironment } from '../given-for.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import type { Project } from '../project.ts';

/** Variables of the server that would send the command elsewhere, or show a secret to it. */
const KEPT_BACK: ReadonlySet<string> = new Set(['HEDDLE_SERVER', 'HEDDLE_TOKEN_FILE', 'HEDDLE_TLS_CA_FILE']);

export async function startCommand({ root }: Pick<Project, 'root'>, command: GrantedCommand): Promise<StreamedStarted> {
  const environment = Object.fromEntries(Object.entries(stepEnvironment()).filter(([name]) => !KEPT_BACK.has(name)));
  const started = await startStreamed([process.execPath, join(PACKAGE_ROOT, 'bin', 'heddle.js'), 'execute'], {
    cwd: root,
    environment,
  });
  if (started.type === 'started') started.process.stdin.write(`${JSON.stringify(command)}\n`);
  return started;
}
