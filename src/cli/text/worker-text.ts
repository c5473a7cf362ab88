// Whether the worker of a claim is there, as text.
import { formatDuration } from '../../core/view/chart/format.ts';
import type { WorkerStatus } from '../../app/read/read-status.ts';

export function workerText({ is, pid, silentMs }: WorkerStatus): string {
  switch (is) {
    case 'starting':
      return 'no worker has it yet';
    case 'dead':
      return `its worker ${pid} is gone; a resume will notice`;
    case 'alive':
      return 'running';
    case 'silent':
      return `its worker ${pid} has been silent for ${formatDuration(silentMs)}; heddle doctor says more`;
  }
}
