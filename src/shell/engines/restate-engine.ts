// Restate as the engine: a virtual object per run, called over HTTP.
import { assert } from '../../core/assert.ts';
import type { BatchResult, Engine } from '../ports/engine.ts';
import { EngineError, isPassingError } from './engine-error.ts';
import { restateAdmin, type RestateAdmin } from './restate-admin.ts';
import { restateHttp, type RestateHttp } from './restate-http.ts';
import { INBOX_OBJECT, RESTATE_FORMAT, RUN_OBJECT, type NumberedRecord, type RunHead } from './restate-object.ts';
import { offerObjects, type RestateOffer } from './restate-offer.ts';
import { shownAddress } from './shown-address.ts';

export interface RestateSettings {
  /** A call without an answer for this long is given up; it may be done all the same. */
  readonly answerMs: number;
}

/** `restate://node[:port],node[:port]/project?admin=port[,port]&here=http://me:port`; one admin port is that of all nodes. */
interface Address {
  readonly shown: string;
  readonly ingress: readonly string[];
  readonly admin: readonly string[];
  /** Projects of one Restate are kept apart by it. */
  readonly project: string;
  /** Where Restate reaches this process. */
  readonly here: URL | undefined;
}

const FORM = /^restate:\/\/([^/?]+)(?:\/([a-z0-9-]*))?(?:\?(.*))?$/;
const INGRESS_PORT = 8_080;
const ADMIN_PORT = 9_070;

export function restateAddress(url: string): Address {
  const [, nodes, project, query] = FORM.exec(url) ?? [];
  if (nodes === undefined)
    throw new EngineError('refused', `${shownAddress(url)} has not the form restate://node:8080,node:8080/project`);
  const settings = new URLSearchParams(query);
  const hosts = nodes.split(',').map((node) => node.split(':'));
  const adminPorts = (settings.get('admin') ?? String(ADMIN_PORT)).split(',');
  const here = settings.get('here');
  return {
    shown: `restate://${nodes}/${project ?? ''}`,
    ingress: hosts.map(([host, port]) => `${host}:${port ?? INGRESS_PORT}`),
    admin: hosts.map(([host], at) => `${host}:${adminPorts[at] ?? adminPorts[0]}`),
    project: project === undefined || project === '' ? 'heddle' : project,
    here: here === null ? undefined : new URL(here),
  };
}

export async function openRestate(url: string, { answerMs }: RestateSettings): Promise<Engine> {
  const address = restateAddress(url);
  const admin = restateAdmin(restateHttp(address.admin, answerMs));
  const offer = offerObjects(admin, address.here);
  try {
    await offer.mend();
    const caller = { admin, offer, ingress: restateHttp(address.ingress, answerMs) };
    await mustBeReadable(caller, address.project);
    return engineOver(caller, address);
  } catch (error) {
    await offer.close();
    throw error;
  }
}

interface Caller {
  readonly ingress: RestateHttp;
  readonly admin: RestateAdmin;
  readonly offer: RestateOffer;
}

interface Called {
  readonly object: string;
  readonly key: string;
  readonly handler: string;
}

/** Undefined where the object has nothing. */
async function call<Value>(
  { ingress, offer }: Caller,
  { object, key, handler }: Called,
  body?: unknown,
): Promise<Value | undefined> {
  try {
    const path = `/${object}/${encodeURIComponent(key)}/${handler}`;
    // The objects are of this very program: `mustBeReadable` has refused those of a later one.
    return (await ingress.call({ method: 'POST', path, body })) as Value | undefined;
  } catch (error) {
    if (isPassingError(error)) await offer.mend();
    throw error;
  }
}

async function mustBeReadable(caller: Caller, project: string): Promise<void> {
  const format = Number(await call(caller, { object: INBOX_OBJECT, key: project, handler: 'format' }));
  if (format > RESTATE_FORMAT)
    throw new EngineError('newer', `they have version ${format}, and this Heddle knows ${RESTATE_FORMAT}`);
}

function engineOver(caller: Caller, { shown, project }: Address): Engine {
  const { admin, offer } = caller;
  const prefix = `${project}:`;
  const onRun = <Value>(run: string, handler: string, body?: unknown): Promise<Value | undefined> =>
    call(caller, { object: RUN_OBJECT, key: `${prefix}${run}`, handler }, body);
  const onDesk = <Value>(handler: string, body: unknown): Promise<Value | undefined> =>
    call(caller, { object: INBOX_OBJECT, key: project, handler }, body);
  const states = async <Value>(name: string): Promise<readonly Value[]> => {
    const found = await admin.states(RUN_OBJECT, name);
    // Written by the objects of this very program.
    return found.filter(({ key }) => key.startsWith(prefix)).map(({ value }) => value as Value);
  };
  return {
    address: shown,
    records: async () =>
      (await states<NumberedRecord>('record'))
        .toSorted((one, other) => one.number - other.number)
        .map(({ text }) => text),
    record: (run) => onRun(run, 'record'),
    heads: () => states('head'),
    head: (run) => onRun(run, 'head'),
    create: async (creating) => {
      const { run, key } = creating;
      const number = await onDesk<number>('number', { key, run });
      return (await onRun(run, 'create', { ...creating, number })) === true;
    },
    read: async (run, position, max) => (await onRun<readonly string[]>(run, 'read', { position, max })) ?? [],
    post: async (run, { key, json, at }) => {
      const id = await onDesk<number>('number', { key, run });
      return (await onRun(run, 'post', { id, json, at })) === true ? id : undefined;
    },
    replyTo: async (id) => {
      const run = await onDesk<string>('runOf', id);
      return run === undefined ? undefined : await onRun(run, 'answer', id);
    },
    commands: async (run) => (await onRun<RunHead>(run, 'head'))?.open ?? [],
    claim: (run, claiming) => onRun(run, 'claim', claiming),
    beat: async (run, epoch) => (await onRun(run, 'beat', epoch)) === true,
    release: async (run, epoch) => {
      await onRun(run, 'release', epoch);
    },
    append: async (run, batch) => {
      const result = await onRun<BatchResult>(run, 'append', batch);
      assert(result !== undefined, 'An append is answered.');
      return result;
    },
    belongsTo: async (words) => {
      const known = await onDesk<string>('belongsTo', words);
      assert(known !== undefined, 'What a project belongs to is answered.');
      return known;
    },
    close: () => offer.close(),
  };
}
