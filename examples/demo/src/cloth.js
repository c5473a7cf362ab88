import * as threads from './threads.js';

/** One row for each thread, over and over, until the cloth is as high as asked. */
export function cloth(width, height) {
  const rows = Object.values(threads);
  return Array.from({ length: height }, (_, row) => {
    const thread = rows[row % rows.length];
    return thread.repeat(Math.ceil(width / thread.length)).slice(0, width);
  });
}
