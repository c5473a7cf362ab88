// The launcher of workers. Hosts start it with the Node that they run on themselves.
import { setFlagsFromString } from 'node:v8';
import { enter } from './enter.js';

// A worker waits for others nearly all its life, and each start of a process copies what is in its memory: compiling its
// code ever better costs more than it saves. Said here and not at the start of Node, which could not use the code that
// it carries compiled then.
for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);

await enter('worker-main');
