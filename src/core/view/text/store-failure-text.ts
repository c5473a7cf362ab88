// Why a store could not be read or written, as sentences: what happened, where, and what to do next.
import type { Damage, EngineFault, Salvage, StoreFailure, StoreWarning } from '../../protocol/store-failure.ts';
import { plural } from './count-text.ts';

export function storeFailureText(failure: StoreFailure): string {
  switch (failure.code) {
    case 'busy':
      return `Another process keeps the store ${failure.file} locked. Wait for it or end it, and try again.`;
    case 'full':
      return `The disk is full, so nothing was written to ${failure.file}. Free some space and try again.`;
    case 'read-only':
      return `The store ${failure.file} cannot be written. Make the file and its folder ${folderAround(failure.file)} writable for this user, and try again.`;
    case 'absent':
      return `There is no store ${failure.file}. Run a plan in this folder first.`;
    case 'empty':
      return `The store ${failure.file} is empty. Run a plan in this folder first.`;
    case 'foreign':
      return `The file ${failure.file} is a database, but its tables are not those of Heddle. Move it away, or put the right store in its place.`;
    case 'unopened':
      return `The store ${failure.file} cannot be opened (${failure.cause}). Check that the folder ${folderAround(failure.file)} exists and may be read and written by this user.`;
    case 'disk':
      return `The disk failed to read or write ${failure.file} (${failure.cause}), so nothing was written. Check the disk, and try again.`;
    case 'unsafe-sqlite':
      return `This Node brings SQLite ${failure.version}, which can lose what was written; Heddle needs ${failure.least} or later. Update Node.`;
    case 'other-format':
      return `The store ${failure.file} has format ${failure.format}, and this Heddle reads format ${failure.reads} alone. Use the Heddle that wrote it, or move ${folderAround(failure.file)} away to begin anew; the store was not touched.`;
    case 'emptied':
      return `The store ${failure.file} is gone or empty, but ${listed(failure.runs)} left traces in ${failure.home}/runs. Put the file back, with the -wal file that was beside it; or remove ${failure.home}/runs to begin anew without those runs.`;
    case 'replaced':
      return replacedText(failure);
    case 'run-unknown':
      return `There is no run ${failure.run} in ${failure.file}. Look at the names of the runs that there are, and try again.`;
    case 'log-empty':
      return `Nothing is left of the log of the run ${failure.run}, so it cannot go on. Start its plan again as another run.`;
    case 'event-unknown':
      return `Event ${failure.position} of the run ${failure.run} cannot be read: ${failure.cause}.`;
    case 'damaged': {
      const { damage, salvage } = failure;
      return salvage === undefined ? damageText(damage) : `${damageText(damage)} ${salvageText(salvage)}`;
    }
    case 'run-taken':
      return `Another machine has a run ${failure.run} on ${failure.file}, started in the same moment. Start this one again; it gets the next number.`;
    case 'mirror-held':
      return `The copy of ${failure.run} on this machine is not written, because ${failure.pid === undefined ? 'another process' : `process ${failure.pid}`} owns it. Stop that process; the run itself goes on with its engine.`;
    case 'mirror-ahead':
      return `The copy of ${failure.run} on this machine has events that its engine never had: it was resumed without the engine. The engine's log goes on; the copy is not followed any more.`;
    case 'shared-elsewhere':
      return `Another server has moved ${failure.ref} on ${failure.remote} meanwhile. ${failure.run} begins again from its log; nothing is lost.`;
    case 'shared-unreached':
      return `${failure.remote} could not be reached, so nothing more of ${failure.run} was written. The next server goes on with it.`;
    case 'engine':
      return ENGINE_TEXTS[failure.why](failure);
  }
}

type EngineFailure = Extract<StoreFailure, { readonly code: 'engine' }>;

const ENGINE_TEXTS: Readonly<Record<EngineFault, (failure: EngineFailure) => string>> = {
  away: ({ engine, cause }) =>
    `The engine ${engine} cannot be reached (${cause}). Runs wait for it and go on by themselves when it is back.`,
  unanswered: ({ engine, cause }) =>
    `The engine ${engine} does not answer (${cause}). Runs wait for it; a database whose synchronous standby is gone keeps every commit waiting until the standby is back or removed from its settings.`,
  'read-only': ({ engine }) =>
    `The engine ${engine} can only be read. Runs wait until it can be written; name the primary, or end the read-only mode.`,
  full: ({ engine, cause }) =>
    `The engine ${engine} has no room left (${cause}). Runs wait until there is; free some space on its disk.`,
  newer: ({ engine, cause }) =>
    `A later Heddle has changed the tables of the engine ${engine} (${cause}). Update Heddle on this machine.`,
  refused: ({ engine, cause }) => `The engine ${engine} refused: ${cause}. Check its address, user and rights.`,
};

export function storeWarningText(warning: StoreWarning): string {
  switch (warning.code) {
    case 'restored':
      return warning.part === 'store'
        ? `The store ${warning.file} was deleted while it was in use and was written back; nothing was lost.`
        : `A file beside the store ${warning.file} was deleted while the store was in use; nothing was lost.`;
    case 'mark-unwritten':
      return `The high-water mark of the run ${warning.run} could not be written: ${storeFailureText(warning.failure)}`;
    case 'heartbeat-unwritten':
      return `The run ${warning.run} cannot show that it is alive: ${warning.cause}.`;
    case 'failed':
      return storeFailureText(warning.failure);
  }
}

function replacedText({ file, home, rescued }: Extract<StoreFailure, { readonly code: 'replaced' }>): string {
  if (rescued === undefined)
    return `The store ${file} was replaced by another file while it was in use, and ${home} holds so many rescued stores that no more are written. Look through them and delete those that are not wanted.`;
  return `The store ${file} was replaced by another file while it was in use, so nothing more was written to it. All that was written before is in ${rescued}. To go on from there, move the present ${file} away together with its -wal and -shm files, \`mv ${rescued} ${file}\` and resume the run.`;
}

function damageText(damage: Damage): string {
  switch (damage.type) {
    case 'file':
      return `The store ${damage.file} is damaged or is not a store (${damage.cause}).`;
    case 'content':
      return contentText(damage);
    case 'runs-missing':
      return `The store ${damage.file} was shortened or replaced: ${listed(damage.runs)} left traces in ${damage.home}/runs and ${damage.runs.length === 1 ? 'is' : 'are'} not in it. Put the right file back if there is one.`;
    case 'log-shortened':
      return damage.events === undefined
        ? `The log of the run ${damage.run} is shorter than it was.`
        : `The log of the run ${damage.run} had ${damage.events} events and was shortened or replaced since.`;
    case 'event-missing':
      return `The log of the run ${damage.run} is broken: event ${damage.position} is missing.`;
    case 'event-changed':
      return `The log of the run ${damage.run} is broken: event ${damage.position} was changed.`;
  }
}

function contentText(damage: Extract<Damage, { readonly type: 'content' }>): string {
  switch (damage.where) {
    case 'record':
      return 'The record of a run is not one that Heddle wrote.';
    case 'event':
      return 'A row of the log is not one that Heddle wrote.';
    case 'column':
      return `The store holds something in the column "${damage.column}" that Heddle did not write.`;
  }
}

const NAMED_MAX = 5;

function listed(runs: readonly string[]): string {
  const rest = runs.length - NAMED_MAX;
  const names = runs.slice(0, NAMED_MAX).join(', ');
  return `${runs.length === 1 ? 'the run' : 'the runs'} ${names}${rest > 0 ? ` and ${rest} more` : ''}`;
}

type Salvaged = Extract<Salvage, { readonly type: 'salvaged' }>;

export function salvageText(salvage: Salvage): string {
  switch (salvage.type) {
    case 'failed':
      return `Nothing of it could be salvaged: ${storeFailureText(salvage.failure)}`;
    case 'too-many':
      return `There are so many salvaged stores in ${salvage.home} that no more are made. Use one of them, and delete the others.`;
    case 'nothing':
      return `Nothing of a run could be read from it. Put a good copy in its place, or try to recover it: ${recovering(salvage)}`;
    case 'salvaged':
      return salvagedText(salvage);
  }
}

function salvagedText({ home, file, salvaged, runs, isAll }: Salvaged): string {
  const cut = runs.filter(({ kept, beyond, marked, hasRecord }) => !hasRecord || beyond > 0 || kept < (marked ?? 0));
  const whole = runs.length - cut.length;
  const parts = [
    ...cut.slice(0, NAMED_MAX).map(runText),
    ...(cut.length > NAMED_MAX ? [`${cut.length - NAMED_MAX} more runs were cut short.`] : []),
    ...(whole > 0 ? [`${plural(whole, 'run')} ${whole === 1 ? 'is' : 'are'} whole.`] : []),
  ];
  return `What can be trusted was copied to ${salvaged}: ${parts.join(' ')} The damaged file was left as it is. To go on with the copy: ${commands({ home, file, salvaged })}, then resume the run with \`heddle resume\`.${isAll ? '' : ` SQLite could not read all of it; more may be left: ${recovering({ home, file })}`}`;
}

function runText({ run, kept, beyond, marked, hasRecord }: Salvaged['runs'][number]): string {
  if (!hasRecord) return `The run ${run} lost its plan, so its ${plural(beyond, 'event')} could not be kept.`;
  const of = marked === undefined || marked <= kept ? '' : ` of ${marked}`;
  const behind =
    beyond === 0 ? '' : `, and ${plural(beyond, 'row')} behind the break ${beyond === 1 ? 'was' : 'were'} left out`;
  return `Of the run ${run}, ${kept}${of} events were salvaged${behind}.`;
}

const commands = ({ home, file, salvaged }: Pick<Salvaged, 'home' | 'file' | 'salvaged'>): string =>
  `\`mkdir -p ${quoted(`${home}/damaged`)} && mv ${quoted(file)}* ${quoted(`${home}/damaged`)} && mv ${quoted(salvaged)} ${quoted(file)}\``;

/** How to recover rows that SQLite itself cannot read; a recovered store is checked and salvaged like any other. */
function recovering({ home, file }: Pick<Salvaged, 'home' | 'file'>): string {
  const recovered = `${home}/store-recovered.sqlite`;
  return `\`sqlite3 ${quoted(file)} .recover | sqlite3 ${quoted(recovered)}\`, then ${commands({ home, file, salvaged: recovered })}. It takes a sqlite3 that has .recover, such as the one of sqlite.org.`;
}

/** The folder that a file is in; core knows nothing of the system's paths. */
const folderAround = (file: string): string => file.slice(0, Math.max(1, file.lastIndexOf('/')));

/** Quoted for a shell. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
