// Protects the data of an open connection when its files are deleted or replaced while it has them open.
//
// store/R1. Deleted files are restored whole and the run continues. Replaced files are left alone: the connection's
//     data is saved beside them, and the run stops.
import { existsSync, linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnersFolder } from '../exec/owners-folder.ts';
import type { OpenedStore } from './opened-store.ts';
import { changeOf, freeName, lookAt, settle } from './store-files.ts';

/** Called before every write; returns a message when the store must not be written to. */
export function keepPlace(opened: OpenedStore): string | undefined {
  const { file, home } = opened;
  switch (changeOf(opened.place, lookAt(file))) {
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
function takeIn(opened: OpenedStore): string | undefined {
  const { connection, file } = opened;
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.reopen();
  return goOn(opened, `A file beside the store ${file} was deleted while the store was in use; nothing was lost.`);
}

function putBack(opened: OpenedStore): string | undefined {
  const { connection, file, home } = opened;
  const copy = join(home, `store-returning-${opened.process.pid}.sqlite`);
  rmSync(copy, { force: true });
  connection.change('VACUUM INTO ?', copy);
  settle(home, copy);
  if (existsSync(file)) return setAside(opened);
  // A connection that closes deletes its files by name, so it is closed before other files take these names.
  connection.close();
  // Unlike a rename, a link never replaces a file that another process has created meanwhile.
  linkSync(copy, file);
  rmSync(copy);
  settle(home, file);
  connection.reopen();
  return goOn(opened, `The store ${file} was deleted while it was in use and was written back; nothing was lost.`);
}

function goOn(opened: OpenedStore, warning: string): undefined {
  opened.connection.row('SELECT count(*) FROM sqlite_schema');
  opened.place = lookAt(opened.file);
  opened.warn(warning);
}

const setAsideAs = new WeakMap<OpenedStore, string>();

function setAside(opened: OpenedStore): string {
  const { connection, file, home } = opened;
  const known = setAsideAs.get(opened);
  if (known !== undefined) return known;
  const name = freeName(home, 'store-rescued');
  if (name === undefined)
    return `The store ${file} was replaced by another file while it was in use, and ${home} holds so many rescued stores that no more are written. Look through them and delete those that are not wanted.`;
  const rescued = join(home, name);
  connection.change('VACUUM INTO ?', rescued);
  settle(home, rescued);
  const message = `The store ${file} was replaced by another file while it was in use, so nothing more was written to it. All that was written before is in ${rescued}. To go on from there, move the present ${file} away together with its -wal and -shm files, \`mv ${rescued} ${file}\` and resume the run.`;
  setAsideAs.set(opened, message);
  return message;
}
