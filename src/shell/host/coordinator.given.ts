// A process with a host in it that a test can kill: `node coordinator.given.ts ROOT ASSIGNMENTS`.
import type { Assignment } from '../../core/protocol/assignment.ts';
import { drive, givenPlace } from './host.given.ts';

const [, , root, assignments] = process.argv;
// The test that starts this program wrote them.
drive(givenPlace(root)).offer(...(JSON.parse(assignments ?? '[]') as readonly Assignment[]));
