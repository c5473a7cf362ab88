// What was spent, by agent, by pool and by task, the dearest first.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { exact } from '../../src/core/engine/ledger.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { demandsOf } from '../../src/core/view/report/uses.ts';

export interface SpendRow {
  readonly name: string;
  readonly turns: number;
  readonly workMs: number;
  readonly tokens: number;
  readonly usd: number;
}

export interface SpendTables {
  readonly byAgent: readonly SpendRow[];
  readonly byPool: readonly SpendRow[];
  readonly byTask: readonly SpendRow[];
}

export function spendBy(compiled: Compiled, spans: readonly ClaimSpan[]): SpendTables {
  const turns = spans.filter(({ agent }) => agent !== undefined);
  const ofPools = turns.flatMap((span) => demandsOf(compiled, span).map(({ pool }) => [pool, span] as const));
  return {
    byAgent: rowsOf(turns.map((span) => [span.agent ?? '', span])),
    byPool: rowsOf(ofPools),
    byTask: rowsOf(turns.map((span) => [span.task, span])),
  };
}

function rowsOf(named: readonly (readonly [name: string, span: ClaimSpan])[]): readonly SpendRow[] {
  const groups = Map.groupBy(named, ([name]) => name);
  const rows = [...groups].map(([name, own]): SpendRow => {
    const sum = (value: (span: ClaimSpan) => number): number => own.reduce((total, [, span]) => total + value(span), 0);
    return {
      name,
      turns: own.length,
      workMs: sum(({ startMs, endMs }) => (endMs ?? startMs) - startMs),
      tokens: sum(({ tokens }) => tokens ?? 0),
      usd: exact(sum(({ usd }) => usd ?? 0)),
    };
  });
  return rows.toSorted((one, other) => other.usd - one.usd || other.turns - one.turns);
}
