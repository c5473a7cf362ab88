// `node sim/mutations/mutate.ts [SEEDS]`: plants each fault in a copy of the tree and says which invariant notices it,
// after how many seeds. With `--write` it writes docs/reference/mutations.md. `--only growth,money` tries the faults
// of these parts, or those whose names have these texts; the other rows of the page stay. The tree itself is never changed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { placesOf, readProgram, type Mutation } from './mutation.ts';
import { MUTATIONS, MUTATIONS_BY_PART } from './mutations.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const TABLE = join(ROOT, 'docs', 'reference', 'mutations.md');
/** All seeds take a minute or two. A program that takes longer hangs, and then there is no table. */
const PATIENCE_MS = 900_000;

interface Caught {
  readonly mutation: Mutation | undefined;
  readonly seed: number | undefined;
  readonly invariant: string;
  readonly message: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const seedsMax = Number(positionals[0] ?? 2_000);

function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-mutate-'));
  for (const part of ['src', 'sim', 'test', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Undefined stands for the tree as it is, in which nothing may be noticed. */
function tryOut(folder: string, mutation: Mutation | undefined): Caught {
  if (mutation === undefined) return { mutation, ...playIn(folder) };
  const program = readProgram(folder);
  const places = placesOf(mutation, program);
  const [path] = places;
  if (path === undefined || places.length > 1)
    throw new Error(`The text of "${mutation.fault}" stands in the code ${places.length} times.`);
  const before = program.get(path) ?? '';
  writeFileSync(join(folder, path), before.split(mutation.text).join(mutation.instead));
  const caught = playIn(folder);
  writeFileSync(join(folder, path), before);
  return { mutation, ...caught };
}

function playIn(folder: string): Omit<Caught, 'mutation'> {
  const said = execFileSync(process.execPath, [join(folder, 'sim/mutations/first-failure.ts'), String(seedsMax)], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { seed, invariant = '', message = '' }: Partial<Caught> = JSON.parse(said);
  return { seed, invariant, message };
}

const partOf = (mutation: Mutation | undefined): string =>
  Object.entries(MUTATIONS_BY_PART).find(([, all]) => all.some((each) => each === mutation))?.[0] ?? '';

const NOBODY = '**nobody**';

const rowOf = ({ mutation, seed, invariant }: Caught): string =>
  `| ${mutation?.fault} | ${partOf(mutation)} | ${seed === undefined ? NOBODY : invariant} | ${seed ?? `more than ${seedsMax}`} |`;

/** The rows of the faults that were tried, and for the others those that the page has. */
function rowsOf(tried: readonly Caught[]): readonly string[] {
  const before = readFileSync(TABLE, 'utf8').split('\n');
  return MUTATIONS.map((mutation) => {
    const caught = tried.find((each) => each.mutation === mutation);
    const row = caught === undefined ? before.find((line) => line.startsWith(`| ${mutation.fault} |`)) : rowOf(caught);
    if (row === undefined) throw new Error(`The page has no row for "${mutation.fault}"; try it, too.`);
    return row;
  });
}

function tableOf(rows: readonly string[]): string {
  const caught = rows.filter((row) => !row.includes(NOBODY)).length;
  return `# Planted faults

What the seeded world of \`sim/\` notices. Each fault is planted in the code, alone, in a copy of the tree; then worlds are
played from seed 1 on until an invariant is broken. The last column says how many that took. The tree without a fault
passes the same ${seedsMax} seeds. ${caught} of ${rows.length} faults are noticed.

Two faults of growth are left to the tests of \`src/core/grow\`, because worlds do not come to them: a draft that has grown begins
anew only when an integration repository has lost the work beneath it, and hardly any draft ends in the middle of an amendment.
That all merges of a run are with one host is left to \`src/core/protocol/dispatcher.test.ts\`: one host of a world merges.
Of leases some faults are left to tests beside the code: a host that renews from the answer to a message and not from its sending
(\`src/app/hosts/leases.test.ts\`), one that takes the clocks of two machines to be equal (\`src/shell/host/worker/lease-times.test.ts\`),
one that renews a lease that ran out unseen (\`src/shell/host/worker/watch-lease.test.ts\`), and a task whose holds give its steps no lease
(\`src/core/engine/step/many-hosts.test.ts\`).

This page is written by \`node sim/mutations/mutate.ts ${seedsMax} --write\`, with \`--only PART,PART\` for some of its parts; the faults
are in \`sim/mutations/mutations.ts\`.

| Fault | Of | Noticed by | Seeds |
|---|---|---|---|
${rows.join('\n')}
`;
}

const folder = copyTree();
try {
  const whole = tryOut(folder, undefined);
  if (whole.seed !== undefined)
    throw new Error(`Seed ${whole.seed} fails without any fault: ${whole.invariant}: ${whole.message}`);
  const wanted = values.only.split(',');
  const isWanted = (each: Mutation, word: string): boolean =>
    word in MUTATIONS_BY_PART ? partOf(each) === word : each.fault.includes(word);
  const chosen = MUTATIONS.filter((each) => wanted.some((word) => isWanted(each, word)));
  const rows = chosen.map((mutation) => {
    const caught = tryOut(folder, mutation);
    console.log(`${rowOf(caught)} ${caught.message.split('\n')[0]}`);
    return caught;
  });
  if (values.write) writeFileSync(TABLE, tableOf(rowsOf(rows)));
  process.exitCode = rows.every(({ seed }) => seed !== undefined) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
