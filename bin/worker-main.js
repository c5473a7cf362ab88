// The launcher of workers. Hosts start it with the Node that they run on themselves.
import { enter } from './enter.js';

await enter('app/worker-main');
