// `/api/exec`: carries out a command line of a person at another machine, and streams what it prints.
//
// exec-route/X1. Who goes away ends the command at once, with everything that it has started.
// exec-route/X2. The role comes from the token, never from the call. What a role may do, the command itself decides.
// exec-route/X3. Commands that follow nothing have a limit of time, and all commands together one of number.
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { startCommand } from '../app/run/start-command.ts';
import { programVersion } from '../app/package-root.ts';
import type { Project } from '../app/project.ts';
import {
  commandAnswerIn,
  COMMAND_PROTOCOL,
  frameIn,
  remoteCommandIn,
  type CommandFrame,
  type CommandRole,
  type RemoteCommand,
} from '../core/protocol/remote-command.ts';
import type { Fields } from '../core/plan/json-fields.ts';
import { openLineStream, type LineStream } from './line-stream.ts';
import { RefusedRequest } from './refused-request.ts';
import { readBody } from './request-body.ts';
import type { Route } from './route-list.ts';
import { sendJson, type Exchange } from './send.ts';

type Started = Extract<Awaited<ReturnType<typeof startCommand>>, { type: 'started' }>['process'];

export interface ExecRoute {
  readonly reply: (exchange: Exchange, path: string, role: CommandRole) => Promise<void>;
  /** Ends all commands. */
  readonly close: () => void;
}

export interface ExecLimits {
  readonly commandsMax: number;
  /** Of these for readers, so that some are left for those who act. */
  readonly readersMax: number;
  readonly timeoutMs: number;
  readonly beatEveryMs: number;
}

const LIMITS: ExecLimits = { commandsMax: 32, readersMax: 24, timeoutMs: 10 * 60_000, beatEveryMs: 15_000 };

/** Plans travel with the call. */
const CALL_BYTES_MAX = 16 * 1024 * 1024;
/** A command that is told to end may finish what it writes. */
const GRACE_MS = 2_000;

const EXEC_PATH = '/api/exec';

/** Whoever may see or change runs may give commands; each command asks for its role. */
export const execRoutes = ({ reply }: ExecRoute): readonly Route[] =>
  [EXEC_PATH, `${EXEC_PATH}/`].map((path) => ({
    path,
    methods: ['POST'],
    roles: ['operator', 'reader'],
    reply: (exchange, { url, caller }) =>
      reply(exchange, url.pathname, caller.role === 'operator' ? caller.role : 'reader'),
  }));

export function openExecRoute(project: Pick<Project, 'root'>, limits: ExecLimits = LIMITS): ExecRoute {
  const running = new Map<string, Started>();
  /** Also those that are being started. */
  const counts = { operator: 0, reader: 0 };
  const execute = async (exchange: Exchange, role: CommandRole): Promise<void> => {
    const call = callIn(await readBody(exchange.request, CALL_BYTES_MAX));
    const max = role === 'reader' ? limits.readersMax : limits.commandsMax;
    const count = role === 'reader' ? counts.reader : counts.reader + counts.operator;
    if (count >= max) throw new RefusedRequest(503, { code: 'too-many-commands', max });
    counts[role] += 1;
    const id = randomBytes(24).toString('base64url');
    try {
      const started = await startCommand(project, { ...call, role });
      if (started.type === 'unstarted')
        throw new RefusedRequest(503, { code: 'command-unstarted', message: started.message });
      running.set(id, started.process);
      const stream = openLineStream(exchange);
      if (exchange.response.destroyed) started.process.end(0);
      await show(stream, { id, process: started.process, limits });
    } finally {
      running.delete(id);
      counts[role] -= 1;
    }
  };
  return {
    reply: async (exchange, path, role) => {
      if (path === EXEC_PATH) return await execute(exchange, role);
      const process = running.get(path.slice(EXEC_PATH.length + 1));
      const answer = commandAnswerIn(await readBody(exchange.request));
      if (answer === undefined) throw new RefusedRequest(400, { code: 'malformed-call' });
      if (process === undefined) throw new RefusedRequest(410, { code: 'command-over' });
      process.stdin.write(`${JSON.stringify(answer)}\n`);
      await sendJson(exchange, {});
    },
    close: () => {
      for (const process of running.values()) process.end(GRACE_MS);
    },
  };
}

function callIn(fields: Fields): RemoteCommand {
  const { protocol } = fields;
  if (typeof protocol === 'number' && protocol !== COMMAND_PROTOCOL)
    throw new RefusedRequest(409, { code: 'other-protocol', version: programVersion() });
  const call = remoteCommandIn(fields);
  if (call === undefined) throw new RefusedRequest(400, { code: 'malformed-call' });
  return call;
}

interface Shown {
  readonly id: string;
  readonly process: Started;
  readonly limits: ExecLimits;
}

/** Until the command is over and all that it printed was read. */
async function show(stream: LineStream, { id, process, limits }: Shown): Promise<void> {
  const gone = new AbortController();
  stream.onClose(() => {
    gone.abort();
    process.end(GRACE_MS);
  });
  const drained = async (): Promise<void> => {
    if (!gone.signal.aborted && stream.isFull()) await stream.drained();
  };
  let isQuiet = true;
  const send = (frame: CommandFrame): void => {
    isQuiet = false;
    stream.write(`${JSON.stringify(frame)}\n`);
  };
  const beat = setInterval(() => {
    if (isQuiet) send({ type: 'beat' });
    isQuiet = true;
  }, limits.beatEveryMs);
  const timer = setTimeout(() => {
    send({ type: 'overdue', afterMs: limits.timeoutMs });
    process.end(GRACE_MS);
  }, limits.timeoutMs);
  let exit: number | undefined;
  const onFrame = (frame: CommandFrame): void => {
    if (frame.type === 'unlimited') clearTimeout(timer);
    else if (frame.type === 'exit') exit = frame.code;
    else send(frame);
  };
  send({ type: 'started', id });
  try {
    await Promise.all([
      pump(process.stdout, drained, (line) => onFrame(frameIn(line) ?? { type: 'err', text: line })),
      // A command speaks in frames; here are only the last words of one that broke.
      pump(process.stderr, drained, (text) => send({ type: 'err', text })),
    ]);
    const end = await process.exited;
    send({ type: 'exit', code: exit ?? (end.type === 'exited' ? end.code : KILLED) });
  } finally {
    clearInterval(beat);
    clearTimeout(timer);
    stream.end();
  }
}

/** As for an interrupt. */
const KILLED = 130;

/** Reads no faster than the client does. */
async function pump(from: Readable, drained: () => Promise<void>, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  from.setEncoding('utf8');
  for await (const part of from) {
    // With an encoding a stream gives text.
    const lines = (rest + (part as string)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    await drained();
  }
  if (rest !== '') onLine(rest);
}
