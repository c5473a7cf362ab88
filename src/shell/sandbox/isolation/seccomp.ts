// The seccomp filter of a sandbox: a classic BPF program that the kernel runs before every system call of its programs.
//
// seccomp/F1. Each instruction jumps at most over the ones that belong to the same call, so no jump is too far.
// seccomp/F2. Calls of another architecture never pass: their numbers mean something else, and the table would be wrong.
import { DENIED_CALLS, type Architecture, type ArgumentTest, type DeniedCall } from './denied-calls.ts';

/** The kernel's names of architectures. */
const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Undefined for an architecture whose numbers are not in the table. */
export function seccompFilter(architecture: string): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const isOwn = [load(ARCHITECTURE), instruction(JUMP_IF_EQUAL, AUDIT_ARCHITECTURE[architecture], 1, 0), KILL];
  const calls = DENIED_CALLS.flatMap((call) => denying(call, architecture));
  return assembled([...isOwn, load(NUMBER), ...(architecture === 'x64' ? NO_X32 : []), ...calls, ALLOW]);
}

interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

// Operations of classic BPF, as linux/bpf_common.h numbers them.
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_ANY_BIT = 0x45;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

// Offsets in `struct seccomp_data`.
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENTS = 16;
const ARGUMENT_BYTES = 8;

const instruction = (code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction => ({
  code,
  value,
  ifTrue,
  ifFalse,
});

const load = (offset: number): Instruction => instruction(LOAD_WORD, offset);
const skipUnlessEqual = (value: number, count: number): Instruction => instruction(JUMP_IF_EQUAL, value, 0, count);
const answer = (value: number): Instruction => instruction(RETURN, value);
const fail = (errno: number): Instruction => answer(0x0005_0000 + errno);

const ALLOW = answer(0x7fff_0000);
const KILL = answer(0x8000_0000);

/** The third way to make calls on x86_64; nothing uses it. */
const X32_BIT = 0x4000_0000;
const ENOSYS = 38;
const NO_X32 = [instruction(JUMP_IF_AT_LEAST, X32_BIT, 0, 1), fail(ENOSYS)];

function denying({ number, errno, test }: DeniedCall, architecture: Architecture): readonly Instruction[] {
  const own = number[architecture];
  if (own === undefined) return [];
  const body = test === undefined ? [fail(errno)] : [...judging(test, errno), ALLOW];
  return [skipUnlessEqual(own, body.length), ...body];
}

/** Fails the call when the test holds, and else goes on behind. */
function judging(test: ArgumentTest, errno: number): readonly Instruction[] {
  // Both architectures are little-endian, so the low half of an argument comes first.
  const argument = load(ARGUMENTS + ARGUMENT_BYTES * test.argument);
  switch (test.type) {
    case 'any-bit':
      return [argument, instruction(JUMP_IF_ANY_BIT, test.bits, 0, 1), fail(errno)];
    case 'one-of':
      return [argument, ...test.values.flatMap((value) => [skipUnlessEqual(value, 1), fail(errno)])];
    case 'none-of':
      return [argument, ...test.values.flatMap((value) => [skipUnlessEqual(value, 1), ALLOW]), fail(errno)];
  }
}

const INSTRUCTION_BYTES = 8;

/** As `struct sock_filter` has them. */
function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  }
  return bytes;
}
