// The code of the virtual objects, offered to Restate by one of the processes that use it.
//
// restate-offer/V1. Every process watches whether the process that Restate calls still answers, and takes its place
//     when it does not. What was going on there is ended: whoever asked for it repeats it with its key (engine/E2).
import { connect, constants, createServer, type Http2Server } from 'node:http2';
import { endpoint } from '@restatedev/restate-sdk';
import { deskObject, RUN_OBJECT, runObject } from './restate-object.ts';
import type { RestateAdmin } from './restate-admin.ts';

export interface RestateOffer {
  /** Takes the place of a process that does not answer. */
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A process that is there answers at once; one that was stopped accepts connections and stays silent. */
const HEALTH_MS = 1_000;
const WATCH_MS = 500;

/** `url` is where Restate reaches this process; undefined when both are on one machine. */
export function offerObjects(admin: RestateAdmin, url: URL | undefined): RestateOffer {
  let listening: Promise<Listening> | undefined;
  let mending: Promise<void> | undefined;
  const offer = async (): Promise<void> => {
    const current = await admin.deploymentOf(RUN_OBJECT);
    if (current !== undefined && (await answers(current.uri))) return;
    listening ??= listen(url);
    await admin.deploy((await listening).uri);
    if (current !== undefined) await admin.endCallsOf(current.id);
  };
  const mend = (): Promise<void> =>
    (mending ??= offer().finally(() => {
      mending = undefined;
    }));
  const watching = setInterval(() => {
    // The call that needs the service meets the same trouble and reports it.
    mend().catch(() => undefined);
  }, WATCH_MS);
  watching.unref();
  return {
    mend,
    close: async () => {
      clearInterval(watching);
      (await listening)?.close();
    },
  };
}

interface Listening {
  readonly uri: string;
  readonly close: () => void;
}

async function listen(url: URL | undefined): Promise<Listening> {
  // Its own log would be mixed with what is shown to people.
  const silent = endpoint().setLogger(() => undefined);
  const server = createServer(silent.bind(runObject).bind(deskObject).http2Handler());
  const sessions = new Set<{ destroy: () => void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  const port = await listeningPort(server, url);
  const close = (): void => {
    server.close();
    for (const session of sessions) session.destroy();
  };
  return { uri: url?.href ?? `http://127.0.0.1:${port}`, close };
}

/** With an address of its own the process may be called from other machines. */
function listeningPort(server: Http2Server, url: URL | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(url?.port ?? 0), url === undefined ? '127.0.0.1' : undefined, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function answers(uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(uri);
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      session.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(() => end(false), HEALTH_MS);
    session.once('error', () => end(false));
    const request = session.request({ [constants.HTTP2_HEADER_PATH]: '/health' });
    request.once('response', () => end(true));
    request.once('error', () => end(false));
    request.end();
  });
}
