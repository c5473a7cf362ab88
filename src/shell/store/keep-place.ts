// Protects the data of an open connection when its files are deleted or replaced while it has them open.
//
// store/R1. Deleted files are restored whole and the run continues. Replaced files are left alone: the connection's
//     data is saved beside them, and the run stops.
import { existsSync, linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnersFolder } from '../exec/owners-folder.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { OpenedStore } from './opened-store.ts';
import { changeOf, freeName, storeFilesAt, settleFiles } from './store-files.ts';

/** Called before every write; returns why the store must not be written to. */
export function keepPlace(opened: OpenedStore): StoreFailure | undefined {
  const { file, home } = opened;
  switch (changeOf(opened.place, storeFilesAt(file))) {
    case 'none':
      return undefined;
    case 'companion gone':
      return takeIn(opened);
    case 'store gone':
      makeOwnersFolder(home);
      return putBack(opened);
    case 'replaced':
      return setAside(opened);
  }
}

/** The main file is still in place, so the content of the deleted write-ahead log is moved into it. */
function takeIn(opened: OpenedStore): undefined {
  const { connection } = opened;
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.reopen();
  return goOn(opened, 'companion');
}

function putBack(opened: OpenedStore): StoreFailure | undefined {
  const { connection, file, home } = opened;
  const copy = join(home, `store-returning-${opened.process.pid}.sqlite`);
  rmSync(copy, { force: true });
  connection.change('VACUUM INTO ?', copy);
  settleFiles(home, copy);
  if (existsSync(file)) return setAside(opened);
  // A connection that closes deletes its files by name, so it is closed before other files take these names.
  connection.close();
  // Unlike a rename, a link never replaces a file that another process has created meanwhile.
  linkSync(copy, file);
  rmSync(copy);
  settleFiles(home, file);
  connection.reopen();
  return goOn(opened, 'store');
}

function goOn(opened: OpenedStore, part: 'store' | 'companion'): undefined {
  opened.connection.row('SELECT count(*) FROM sqlite_schema');
  opened.place = storeFilesAt(opened.file);
  opened.warn({ code: 'restored', file: opened.file, part });
}

const setAsideAs = new WeakMap<OpenedStore, StoreFailure>();

function setAside(opened: OpenedStore): StoreFailure {
  const { connection, file, home } = opened;
  const known = setAsideAs.get(opened);
  if (known !== undefined) return known;
  const name = freeName(home, 'store-rescued');
  if (name === undefined) return { code: 'replaced', file, home, rescued: undefined };
  const rescued = join(home, name);
  connection.change('VACUUM INTO ?', rescued);
  settleFiles(home, rescued);
  const failure: StoreFailure = { code: 'replaced', file, home, rescued };
  setAsideAs.set(opened, failure);
  return failure;
}
