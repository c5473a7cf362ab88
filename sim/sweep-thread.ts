// One thread of a sweep: plays the batches it is given.
import { parentPort } from 'node:worker_threads';
import { playBatch } from './play-batch.ts';
import type { Batch } from './sweep.ts';

parentPort?.on('message', (batch: Batch) => {
  void playBatch(batch).then((played) => parentPort?.postMessage(played));
});
