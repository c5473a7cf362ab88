// What an engine says of all runs, to one who has no part in them.
import { restateAdmin } from '../../../src/shell/engines/restate-admin.ts';
import { restateAddress } from '../../../src/shell/engines/restate-engine.ts';
import { restateHttp } from '../../../src/shell/engines/restate-http.ts';
import { RUN_OBJECT } from '../../../src/shell/engines/restate-object.ts';
import { openEngine } from '../../../src/shell/engines/open-engine.ts';
import type { Head } from '../../../src/shell/ports/engine.ts';
import type { EngineName } from './machines.given.ts';

const ANSWER_MS = 2_000;

/** A client of Restate would offer it the code of the objects, so only its administration is asked. */
export async function headsOf(engine: EngineName, url: string): Promise<() => Promise<readonly Head[]>> {
  if (engine === 'postgres') {
    const opened = await openEngine(url, { answerMs: ANSWER_MS });
    return opened.heads;
  }
  const admin = restateAdmin(restateHttp(restateAddress(url).admin, ANSWER_MS));
  // Written by the objects of this very program.
  return async () => (await admin.states(RUN_OBJECT, 'head')).map(({ value }) => value as Head);
}
