// What was expected of the run before it began. It never changes, and to compute it takes the server a while, so the page asks
// for it once.
import { useEffect, useState } from 'react';
import type { Range } from '../../src/core/simulate/range.ts';
import type { WorkSpan } from '../../src/core/simulate/work-spans.ts';
import { runPath } from '../client/server-api.ts';
import { useApp, useRunView } from './use-app.ts';

export interface ForecastReply {
  readonly usd: Range;
  readonly spans: readonly WorkSpan[];
}

/** Of the run that was asked for last. */
let kept: { readonly path: string; readonly forecast: ForecastReply } | undefined;

export function useForecast(): ForecastReply | undefined {
  const { api, dashboard } = useApp();
  const { project, run } = useRunView();
  const path = runPath(project, run, 'forecast');
  const [, show] = useState(0);
  const isAway = dashboard.link.type !== 'open';
  useEffect(() => {
    if (kept?.path === path || isAway) return undefined;
    let isGone = false;
    const load = async (): Promise<void> => {
      const answer = await api.get<ForecastReply>(path);
      if (answer.type !== 'ok') return;
      kept = { path, forecast: answer.value };
      if (!isGone) show((count) => count + 1);
    };
    void load();
    return () => {
      isGone = true;
    };
  }, [api, path, isAway]);
  return kept?.path === path ? kept.forecast : undefined;
}
