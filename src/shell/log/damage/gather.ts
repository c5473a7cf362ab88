// Gathers all rows of our tables that are anywhere in a damaged store. They are told apart by their columns, so that
// nothing depends on the pages that say where each table begins.
import type { TiedLink } from '../chain.ts';
import type { Pages } from './pages.ts';
import { rowsOn, type StoredRow } from './page-rows.ts';

export interface FoundRun {
  readonly id: number;
  readonly run: string;
  readonly slug: string;
  readonly number: number;
  readonly record: string;
}
export interface FoundCommand {
  readonly id: number;
  readonly run: string;
  readonly json: string;
  readonly at: number;
  readonly answer: string | null;
}
export interface FoundOwner {
  readonly run: string;
  readonly epoch: number;
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
  readonly since: number;
  readonly isGone: number;
}

export interface Gathered {
  readonly runs: FoundRun[];
  /** By run and position; more than one where a page is there in two versions. */
  readonly events: Map<string, Map<number, TiedLink[]>>;
  readonly commands: Map<number, FoundCommand>;
  readonly owners: Map<string, FoundOwner>;
}

export function gather(pages: Pages): Gathered {
  const gathered: Gathered = { runs: [], events: new Map(), commands: new Map(), owners: new Map() };
  for (const page of pages.all) for (const row of rowsOn(pages, page)) sort(gathered, row);
  return gathered;
}

/** t is a text, n a number, 0 nothing. */
const columnsOf = ({ values }: StoredRow): string =>
  values.map((value) => (value === null ? '0' : typeof value === 'string' ? 't' : 'n')).join('');

const text = ({ values }: StoredRow, column: number): string => String(values[column]);
const number = ({ values }: StoredRow, column: number): number => Number(values[column]);

function sort(gathered: Gathered, row: StoredRow): void {
  switch (columnsOf(row)) {
    case 'tnttt':
      return keepEvent(gathered, row);
    case 'ttnt':
      return keepRun(gathered, row);
    case '0ttn0':
    case '0ttnt':
      return keepCommand(gathered, row);
    case 'tnnttnn':
      return keepOwner(gathered, row);
  }
}

function keepEvent({ events }: Gathered, row: StoredRow): void {
  const run = text(row, 0);
  const ofRun = events.get(run) ?? new Map<number, TiedLink[]>();
  events.set(run, ofRun);
  const event = {
    position: number(row, 1),
    type: text(row, 2),
    json: text(row, 3),
    checksum: text(row, 4),
  };
  const known = ofRun.get(event.position) ?? [];
  ofRun.set(event.position, known);
  if (!known.some((one) => one.checksum === event.checksum && one.json === event.json)) known.push(event);
}

function keepRun({ runs }: Gathered, row: StoredRow): void {
  const [run, slug, record] = [text(row, 0), text(row, 1), text(row, 3)];
  if (runs.some((one) => one.run === run && one.record === record)) return;
  runs.push({ id: row.id, run, slug, number: number(row, 2), record });
}

/** Answers are only ever added, so a version with one is the later. */
function keepCommand({ commands }: Gathered, row: StoredRow): void {
  const { id } = row;
  const answer = row.values[4] === null ? null : text(row, 4);
  if ((commands.get(id)?.answer ?? null) !== null) return;
  commands.set(id, { id, run: text(row, 1), json: text(row, 2), at: number(row, 3), answer });
}

/** Epochs only grow, and who is gone does not come back under the same one. */
function keepOwner({ owners }: Gathered, row: StoredRow): void {
  const owner = {
    run: text(row, 0),
    epoch: number(row, 1),
    pid: number(row, 2),
    startedAt: text(row, 3),
    host: text(row, 4),
    since: number(row, 5),
    isGone: number(row, 6),
  };
  const known = owners.get(owner.run);
  const isLater =
    known === undefined || owner.epoch > known.epoch || (owner.epoch === known.epoch && owner.isGone === 1);
  if (isLater) owners.set(owner.run, owner);
}
