// The built page: its index, and the assets beside it, by name.
//
// static-files/S1. A name is looked up in the list of the folder and never joined to a path as it came, so that no request
//     reads anything else.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Undefined when the page was not built. */
export function readIndex(folder: string): StaticFile | undefined {
  try {
    return { type: 'text/html; charset=utf-8', bytes: readFileSync(join(folder, 'index.html')), isImmutable: false };
  } catch {
    return undefined;
  }
}

/** Undefined when there is no such file. */
export function readAsset(folder: string, name: string): StaticFile | undefined {
  const assets = join(folder, 'assets');
  const type = TYPES[extname(name)];
  try {
    const listed = readdirSync(assets, { withFileTypes: true }).find((entry) => entry.isFile() && entry.name === name);
    if (listed === undefined || type === undefined) return undefined;
    const file = join(assets, listed.name);
    if (realpathSync(file) !== join(realpathSync(assets), listed.name)) return undefined;
    return { type, bytes: readFileSync(file), isImmutable: true };
  } catch {
    // The page is being built, or was never built.
    return undefined;
  }
}
