import { expect, test } from 'vitest';
import { idleCheckOf } from './idle-check.ts';

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
  'npm test 2>&1 | tail -20',
  'npm test | tee test.log',
  'npm test -- "the last one" || true',
  'npm test > /dev/null 2>&1; true',
  'npm test || echo "it failed"',
  'CI=1 npm test |& cat',
  'npm test &',
  'test -f done.txt || exit 0',
])('%j checks nothing', (command) => expect(idleCheckOf(command)).toBe('never-fails'));

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
  'npm test | grep -q passed',
  'npm test | tail -1 | grep -q ok',
  'set -o pipefail; npm test | tee test.log',
  'bash -o pipefail -c "npm test | tail -3"',
  'npm test && echo done',
  'npm test & wait $!',
  'test -s out.txt | cat out.txt',
  'sort -c names.txt',
  'true > out/there',
  'echo "$(cat x)"',
  'make; $LAST; true',
  'echo "open',
  "cat <<'END' | true\nx\nEND",
])('%j may fail', (command) => expect(idleCheckOf(command)).toBeUndefined());

test.each(['make -j4 && ./run --tests all.test | tail -3', 'cd api && npm test 2>&1 | tee test.log && echo tested'])(
  '%j loses the exit code of its test',
  (command) => expect(idleCheckOf(command)).toBe('lost-in-a-pipe'),
);

test.each([
  'test -s out.txt && cat out.txt | head -3',
  'npm test && git log | head',
  'npm test | tail -1 | grep -q ok',
])('%j only shows something', (command) => expect(idleCheckOf(command)).toBeUndefined());
