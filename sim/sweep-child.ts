// One process of a sweep: plays its batches, and ends when its parent is gone.
import { playBatch } from './play-batch.ts';
import type { Batch } from './sweep.ts';

process.on('message', (batch: Batch) => {
  void playBatch(batch).then((played) => process.send?.(played));
});
