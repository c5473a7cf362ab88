// What is known of a repository as text for an agent, in about two pages whatever its size.
import type { SourceFile } from '../split/source-file.ts';
import { byText } from '../split/source-file.ts';
import type { ProjectFacts } from './project-facts.ts';

const FOLDERS_MAX = 40;
const EDGES_MAX = 20;
const FILES_MAX = 12;
const COMMITS_MAX = 10;
const PACKAGES_MAX = 20;
const SCRIPTS_MAX = 30;

export function factsText(facts: ProjectFacts): string {
  const { name, isEmpty, tools, check, setup, packages, packageCheck, agents } = facts;
  if (isEmpty)
    return `# The repository\n\n${name} has no code yet. The first task makes what the others build on.\n${agentLine(agents)}`;
  return [
    '# The repository',
    '',
    `- Name: ${name}`,
    `- Tools: ${tools.length === 0 ? 'none that Heddle knows' : tools.map(({ tool, folder }) => (folder === '' ? tool : `${tool} in ${folder}`)).join(', ')}`,
    `- Test command: ${check === undefined ? 'none was found' : `${check.run} (${check.because})`}`,
    ...(setup === undefined ? [] : [`- Set-up of a sandbox: ${setup.run}`]),
    ...(packages.length === 0 ? [] : [`- Packages: ${listed(packages, PACKAGES_MAX)}`]),
    ...(packageCheck === undefined ? [] : [`- Test command of one package, as an example: ${packageCheck}`]),
    ...scriptLines(facts),
    agentLine(agents),
    '',
    ...layoutLines(facts),
    ...listSection('Folders that import each other', edgesOf(facts.files)),
    ...listSection('Files that most others import', hubsOf(facts.files)),
    ...listSection('Largest files', largestOf(facts.files)),
    ...listSection('Changed most often of late', facts.changedOften.slice(0, FILES_MAX)),
    ...listSection('Latest commits', facts.commits.slice(0, COMMITS_MAX)),
  ].join('\n');
}

const agentLine = (agents: readonly string[]): string =>
  `- Agents that a plan may name: ${agents.length === 0 ? 'none; leave agent: out' : agents.join(', ')}`;

function scriptLines({ scripts }: ProjectFacts): readonly string[] {
  const atRoot = scripts?.filter(({ folder }) => folder === '').map(({ name }) => name) ?? [];
  return atRoot.length === 0 ? [] : [`- Scripts of package.json: ${listed(atRoot, SCRIPTS_MAX)}`];
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

const listSection = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${item}`), ''];

interface Folder {
  readonly files: number;
  readonly tokens: number;
}

function layoutLines({ files, leftOut }: ProjectFacts): readonly string[] {
  const tokens = files.reduce((sum, file) => sum + file.tokens, 0);
  const folders = [...foldersOf(files)];
  const shown = folders
    .toSorted(([, one], [, other]) => other.tokens - one.tokens)
    .slice(0, FOLDERS_MAX)
    .toSorted(([one], [other]) => byText(one, other));
  const more = folders.length - shown.length;
  return [
    `## Layout (${files.length} files, about ${inThousands(tokens)} tokens${leftOut === 0 ? '' : `; ${leftOut} generated, binary or data files left out`})`,
    '',
    ...files
      .filter(({ path }) => !path.includes('/'))
      .slice(0, FILES_MAX)
      .map(({ path }) => `- ${path}`),
    ...shown.map(([path, folder]) => `- ${path}/ (${folder.files} files, ${inThousands(folder.tokens)})`),
    ...(more > 0 ? [`- … and ${more} smaller folders`] : []),
    '',
  ];
}

const inThousands = (tokens: number): string => `${Math.max(1, Math.round(tokens / 1000))}k`;

/** Each file counts in the folder that it lies in. */
function foldersOf(files: readonly SourceFile[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  for (const { path, tokens } of files) {
    const folder = folderOf(path);
    if (folder === '') continue;
    const known = folders.get(folder);
    folders.set(folder, { files: (known?.files ?? 0) + 1, tokens: (known?.tokens ?? 0) + tokens });
  }
  return folders;
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function edgesOf(files: readonly SourceFile[]): readonly string[] {
  const edges = new Map<string, number>();
  for (const { path, imports } of files)
    for (const target of imports) {
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from !== to && from !== '' && to !== '')
        edges.set(`${from} → ${to}`, (edges.get(`${from} → ${to}`) ?? 0) + 1);
    }
  return mostOf(edges, EDGES_MAX).map(([edge, count]) => `${edge} (${count} imports)`);
}

function hubsOf(files: readonly SourceFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { imports } of files) for (const target of imports) counts.set(target, (counts.get(target) ?? 0) + 1);
  return mostOf(counts, FILES_MAX)
    .filter(([, count]) => count > 1)
    .map(([path, count]) => `${path} (by ${count})`);
}

const largestOf = (files: readonly SourceFile[]): readonly string[] =>
  mostOf(new Map(files.map(({ path, tokens }) => [path, tokens])), FILES_MAX).map(
    ([path, tokens]) => `${path} (${inThousands(tokens)})`,
  );

const mostOf = (counts: ReadonlyMap<string, number>, most: number): readonly (readonly [string, number])[] =>
  [...counts].toSorted(([one, left], [other, right]) => right - left || byText(one, other)).slice(0, most);
