// The filter is run here by a machine of a few lines, because a test can be on one processor only; e2e runs it for real.
import { expect, test } from 'vitest';
import { DENIED_CALLS, type Architecture } from './denied-calls.ts';
import { seccompFilter } from './seccomp.ts';

const ALLOWED = 'allowed';
const KILLED = 'killed';
const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7, i386: 0x4000_0003 };

interface Call {
  readonly number: number;
  readonly args?: readonly number[];
  readonly on?: keyof typeof ARCHITECTURES;
}

/** What the kernel makes of a call: allowed, killed, or failed with an errno. */
function answerTo(architecture: Architecture, { number, args = [], on = architecture }: Call): string | number {
  const filter = seccompFilter(architecture);
  if (filter === undefined) throw new Error('there is a filter for both');
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(ARCHITECTURES[on], 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let word = 0;
  for (let at = 0; ; at += 8) {
    const [code, ifTrue, ifFalse] = [filter.readUInt16LE(at), filter.readUInt8(at + 2), filter.readUInt8(at + 3)];
    const value = filter.readUInt32LE(at + 4);
    const jump = (holds: boolean): void => void (at += 8 * (holds ? ifTrue : ifFalse));
    if (code === 0x20) word = data.readUInt32LE(value);
    else if (code === 0x15) jump(word === value);
    else if (code === 0x35) jump(word >= value);
    else if (code === 0x45) jump((word & value) !== 0);
    else if (code === 0x06) {
      if (value === 0x7fff_0000) return ALLOWED;
      return value === 0x8000_0000 ? KILLED : value - 0x0005_0000;
    } else throw new Error(`${code} is no operation`);
  }
}

const numberOf = (name: string, architecture: Architecture): number => {
  const found = DENIED_CALLS.find((call) => call.name === name)?.number[architecture];
  if (found === undefined) throw new Error(`${name} is not in the table`);
  return found;
};

test.for(['x64', 'arm64'] as const)('calls that are denied whatever their arguments fail on %s', (architecture) => {
  const failing = DENIED_CALLS.filter(({ test: some }) => some === undefined).flatMap(({ number, errno }) =>
    number[architecture] === undefined ? [] : [[answerTo(architecture, { number: number[architecture] }), errno]],
  );
  expect(failing.length).toBeGreaterThan(40);
  expect(failing.every(([answer, errno]) => answer === errno)).toBe(true);
});

test.for(['x64', 'arm64'] as const)('other calls pass on %s, and those whose arguments do no harm', (architecture) => {
  const passes = (name: string, ...args: readonly number[]): string | number =>
    answerTo(architecture, { number: numberOf(name, architecture), args });
  expect(answerTo(architecture, { number: 0 })).toBe(ALLOWED);
  expect(answerTo(architecture, { number: 400 })).toBe(ALLOWED);
  expect([1, 2, 10, 16].map((family) => passes('socket', family))).toEqual(Array(4).fill(ALLOWED));
  expect([0, 17, 31, 38, 40].map((family) => passes('socket', family))).toEqual(Array(5).fill(97));
  expect(passes('clone', 0x0000_0011)).toBe(ALLOWED);
  expect(passes('clone', 0x1000_0011)).toBe(1);
  expect(passes('unshare', 0x0400)).toBe(ALLOWED);
  expect(passes('unshare', 0x80)).toBe(1);
  expect(passes('ioctl', 0, 0x5401)).toBe(ALLOWED);
  expect(passes('ioctl', 0, 0x5412)).toBe(1);
  // The kernel looks at half of the argument, so what is in the other half must not hide it.
  expect(passes('ioctl', 0, 0x1_0000_5412)).toBe(1);
});

test('calls of another architecture never pass', () => {
  expect(answerTo('x64', { number: 0, on: 'i386' })).toBe(KILLED);
  expect(answerTo('x64', { number: 0, on: 'arm64' })).toBe(KILLED);
  expect(answerTo('x64', { number: 0x4000_0000 })).toBe(38);
  expect(seccompFilter('riscv64')).toBeUndefined();
});
