// The licences of the packages that a bundle is made of, as one text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of the files in the bundle; files of no package are ours. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => packageOf(path) ?? []));
  const texts = [...folders].toSorted().map(licenceOf);
  const heading = 'Heddle contains parts of these packages, each under its own licence.';
  return `${[heading, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The folder of the package that a file belongs to. */
function packageOf(path: string): string | undefined {
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return undefined;
  const [scope = '', name = ''] = path.slice(at + '/node_modules/'.length).split('/');
  return join(path.slice(0, at), 'node_modules', scope, scope.startsWith('@') ? name : '');
}

function licenceOf(folder: string): string {
  const { name, version, license } = fieldsOf(join(folder, 'package.json'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const text = file === undefined ? `Licence: ${String(license)}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${String(name)} ${String(version)}\n\n${text}`;
}

function fieldsOf(file: string): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) throw new Error(`There is no package.json in ${dirname(file)}.`);
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof value !== 'object' || value === null) throw new Error(`${file} holds no object.`);
  return Object.fromEntries(Object.entries(value));
}
