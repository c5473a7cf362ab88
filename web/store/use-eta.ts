// When the run is expected to end, and the tasks that its end waits for: simulated by the server, now and then.
import { useEffect, useRef, useState } from 'react';
import type { Range } from '../../src/core/simulate/range.ts';
import { runPath } from '../client/server-api.ts';
import { useApp, useRunView } from './use-app.ts';

export interface EtaReply {
  /** The moment from which it was simulated. */
  readonly at: number;
  readonly endAt: Range;
  /** Paths of tasks on the longest path to the end. */
  readonly chain: readonly string[];
}

const EVERY_MS = 15_000;
/** How many times in a row nothing is asked while no event arrives, or nobody looks. */
const SKIPS_MAX = 3;

export function useEta(): EtaReply | undefined {
  const { api } = useApp();
  const { project, run, status, length, now } = useRunView();
  const [eta, setEta] = useState<EtaReply>();
  const isOver = status.stage === 'ended';
  // The end should have come, and something still runs.
  const isLate = eta !== undefined && now >= eta.endAt.likely && status.running.length > 0;
  const latest = useRef({ length, isLate });
  useEffect(() => {
    latest.current = { length, isLate };
  }, [length, isLate]);
  useEffect(() => {
    let isGone = false;
    let asked = 0;
    let skips = 0;
    const load = async (): Promise<void> => {
      const isSame = asked === latest.current.length && !latest.current.isLate;
      skips = (document.hidden || isSame) && asked > 0 ? skips + 1 : 0;
      if (skips % (SKIPS_MAX + 1) > 0) return;
      asked = latest.current.length;
      const answer = await api.get<EtaReply>(runPath(project, run, 'eta'));
      if (!isGone && answer.type === 'ok' && typeof answer.value.endAt === 'object') setEta(answer.value);
    };
    if (isOver) return undefined;
    void load();
    const timer = setInterval(() => void load(), EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [api, project, run, isOver]);
  return eta;
}
