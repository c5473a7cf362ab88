// What is known of a repository as text for an agent, in about two pages whatever its size.
import type { SourceFile } from '../split/source-file.ts';
import { byText } from '../split/source-file.ts';
import { folderAround, layoutOf } from './layout.ts';
import type { ProjectFacts } from './project-facts.ts';

const EDGES_MAX = 20;
const FILES_MAX = 12;
/** A flat repository has all of its code at the top. */
const TOP_FILES_MAX = 40;
const COMMITS_MAX = 10;
const PACKAGES_MAX = 20;
const SCRIPTS_MAX = 20;
const SCRIPT_LENGTH_MAX = 120;

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
  const atRoot = scripts?.filter(({ folder }) => folder === '') ?? [];
  if (atRoot.length === 0) return [];
  const more = atRoot.length - SCRIPTS_MAX;
  return [
    '- Scripts of package.json:',
    ...atRoot.slice(0, SCRIPTS_MAX).map(({ name, run }) => `  - ${name}: ${run.slice(0, SCRIPT_LENGTH_MAX)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

const listSection = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${item}`), ''];

function layoutLines({ files, leftOut }: ProjectFacts): readonly string[] {
  const tokens = files.reduce((sum, file) => sum + file.tokens, 0);
  const atTop = files.map(({ path }) => path).filter((path) => !path.includes('/'));
  return [
    `## Layout (${files.length} files, about ${inThousands(tokens)} tokens${leftOut === 0 ? '' : `; ${leftOut} generated, binary or data files left out`})`,
    '',
    ...(atTop.length === 0 ? [] : [`- ${listed(atTop, TOP_FILES_MAX)}`]),
    ...layoutOf(files).map((row) => `- ${row.folder}/ (${row.files} files, ${inThousands(row.tokens)})`),
    '',
  ];
}

const inThousands = (tokens: number): string => `${Math.max(1, Math.round(tokens / 1000))}k`;

function edgesOf(files: readonly SourceFile[]): readonly string[] {
  const edges = new Map<string, number>();
  for (const { path, imports } of files)
    for (const target of imports) {
      const [from, to] = [folderAround(path), folderAround(target)];
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
