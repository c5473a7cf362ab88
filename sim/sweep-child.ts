// One process of a sweep: plays the batches it is given, and ends when nobody listens any more.
import { playBatch } from './play-batch.ts';
import type { Batch } from './sweep.ts';

process.on('message', (batch: Batch) => {
  void playBatch(batch).then((played) => process.send?.(played));
});
