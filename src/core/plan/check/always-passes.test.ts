import { expect, test } from 'vitest';
import { alwaysPasses } from './always-passes.ts';

test.each([
  'true',
  ' :  ',
  '/bin/true',
  'exit 0',
  'echo all good!',
  'make test || true',
  'npm test; exit 0',
  'make\ntrue',
  '# nothing yet\ntrue',
])('%j checks nothing', (command) => expect(alwaysPasses(command)).toBe(true));

test.each([
  '',
  'make test',
  'false || false',
  'true && make test',
  'test -f x; exit 1',
  'exit 1; true',
  'set -e; make; true',
  'if grep -q x y; then exit 1; fi; true',
  'echo $(cat x) > /nowhere/x',
  'echo x | grep y',
  'sh -c "exit 3; true"',
  'trap "exit 1" EXIT; true',
  '! true',
  'trueish',
  '{ make; exit 1; }; true',
])('%j may fail', (command) => expect(alwaysPasses(command)).toBe(false));
