// The end of a host. Nothing of what was settled is left running, and nothing of what is to be left is touched.
import type { Floor } from './host-state.ts';
import { stopAll } from './stop.ts';

export async function close(floor: Floor, leave: boolean): Promise<void> {
  if (!leave) {
    stopAll(floor, 0);
    await untilNothingIsHeld(floor);
  }
  floor.isClosed = true;
  floor.timers.close();
  await floor.reaper.reap();
  await floor.crew.close();
}

/** It ends: a worker that does not answer is killed, and a killed one is buried. */
function untilNothingIsHeld(floor: Floor): Promise<void> {
  return new Promise((resolve) => {
    floor.onSettled = () => {
      if (floor.held.size === 0) resolve();
    };
    floor.onSettled();
  });
}
