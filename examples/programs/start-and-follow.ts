// Starts a run in a process of its own and follows it: one line for each task that ends, and the exit code of the run.
import { follow, start } from 'heddle';

const started = await start({ plan: process.argv[2] ?? 'plan.yaml', detached: true });
if (started.type !== 'detached') {
  console.error(`The run did not start: ${JSON.stringify(started)}`);
  process.exit(2);
}

let failed = 0;
const followed = await follow({
  run: started.run,
  observer: {
    onStart: ({ run }) => console.log(`${run} goes on without this program; Ctrl-C leaves it running.`),
    onEvents: (events) => {
      for (const event of events) {
        if (event.type !== 'task.ended') continue;
        console.log(`${event.task} ${event.ending}${event.reason === undefined ? '' : ` (${event.reason})`}`);
        if (event.ending === 'failed') failed += 1;
      }
    },
    onNote: () => undefined,
  },
});
console.log(followed.type === 'over' ? `over: ${followed.over.type}` : `refused: ${followed.refusal.code}`);
process.exitCode = failed === 0 ? 0 : 1;
