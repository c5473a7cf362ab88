// A program of a few instructions that lets go of what it inherited from the starter of the run, takes a fresh session
// keyring, and then becomes the program that it is given. No program that every system has makes these calls, Node cannot,
// and a shell cannot; so the file is put together here, as the seccomp filter is.
//
// keyring-launcher/L1. The launcher never keeps a program from starting: where the kernel gives no keyring, the given
//     program starts with the old one, behind the seccomp filter. Without a program it only tells by its exit code, an
//     errno, whether there was a keyring: who chooses the isolation asks so.
// keyring-launcher/L2. Descriptors from 10 on are closed: a folder that a program inside inherits open leads it out of the
//     sandbox. Of those below, Node passes on its own alone, and the shells before and behind open and close some.
//
// Limit: kernels before 5.9 do not know the call that closes descriptors. When one of them matters, close each by itself.
import type { Architecture } from './denied-calls.ts';

/** Undefined for an architecture whose instructions are not below. */
export function keyringLauncher(architecture: string): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  return executable(MACHINE[architecture], INSTRUCTIONS[architecture]);
}

/** The numbers of processors in an ELF header. */
const MACHINE: Readonly<Record<Architecture, number>> = { x64: 62, arm64: 183 };

/**
 * At the start the stack holds the count of arguments, then the arguments from the launcher's own name on, an empty word,
 * and the environment. So `argv` of the given program begins 16 bytes above, and its environment one word further for each
 * argument. Both follow one plan: close_range(10, all, 0); keyctl(KEYCTL_JOIN_SESSION_KEYRING, NULL); with a
 * first argument execve(it, argv, environment); then exit(an errno, or 0).
 */
const INSTRUCTIONS: Readonly<Record<Architecture, Buffer>> = {
  x64: bytesOf(`
    bf 0a 00 00 00   mov edi, 10
    be ff ff ff ff   mov esi, -1
    31 d2            xor edx, edx
    b8 b4 01 00 00   mov eax, 436      close_range
    0f 05            syscall
    b8 fa 00 00 00   mov eax, 250      keyctl
    bf 01 00 00 00   mov edi, 1
    31 f6            xor esi, esi
    0f 05            syscall
    48 8b 7c 24 10   mov rdi, [rsp+16]
    48 85 ff         test rdi, rdi
    74 14            jz tell
    48 8d 74 24 10   lea rsi, [rsp+16]
    48 8b 14 24      mov rdx, [rsp]
    48 8d 14 d6      lea rdx, [rsi+rdx*8]
    b8 3b 00 00 00   mov eax, 59       execve
    0f 05            syscall
    31 ff            tell: xor edi, edi
    85 c0            test eax, eax
    79 04            jns leave
    89 c7            mov edi, eax
    f7 df            neg edi
    b8 3c 00 00 00   leave: mov eax, 60   exit
    0f 05            syscall`),
  // An instruction is a word, and the low byte comes first.
  arm64: bytesOf(`
    40 01 80 d2      mov x0, 10
    01 00 80 12      mov w1, -1
    02 00 80 d2      mov x2, 0
    88 36 80 d2      mov x8, 436       close_range
    01 00 00 d4      svc 0
    68 1b 80 d2      mov x8, 219       keyctl
    20 00 80 d2      mov x0, 1
    01 00 80 d2      mov x1, 0
    01 00 00 d4      svc 0
    e9 03 00 aa      mov x9, x0
    e0 0b 40 f9      ldr x0, [sp, 16]
    e0 00 00 b4      cbz x0, tell
    e1 43 00 91      add x1, sp, 16
    e2 03 40 f9      ldr x2, [sp]
    22 0c 02 8b      add x2, x1, x2, lsl 3
    a8 1b 80 d2      mov x8, 221       execve
    01 00 00 d4      svc 0
    e9 03 00 aa      mov x9, x0
    e0 03 09 cb      tell: neg x0, x9
    3f 01 00 f1      cmp x9, 0
    00 b0 9f 9a      csel x0, x0, xzr, lt
    a8 0b 80 d2      mov x8, 93        exit
    01 00 00 d4      svc 0`),
};

/** Of each line the bytes before the instruction as people write it. */
function bytesOf(listing: string): Buffer {
  const lines = listing.trim().split('\n');
  return Buffer.concat(
    lines.map((line) => Buffer.from((line.trim().split(/ {2}/)[0] ?? '').replaceAll(' ', ''), 'hex')),
  );
}

const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;

/** Where the file is in memory; the largest page of both processors divides it. */
const ADDRESS = 0x40_0000;
const PAGE_BYTES = 0x1_0000;

const LOADED_SEGMENT = 1;
/** Says that the stack holds no instructions. */
const STACK_SEGMENT = 0x6474_e551;
const [READ_AND_RUN, READ_AND_WRITE] = [5, 6];

/** An ELF file of one loaded segment, which holds the headers too. */
function executable(machine: number, instructions: Buffer): Buffer {
  const start = HEADER_BYTES + 2 * SEGMENT_BYTES;
  const header = Buffer.alloc(HEADER_BYTES);
  // 64 bits, little-endian, version 1.
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(EXECUTABLE, 16);
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(ADDRESS + start), 24);
  header.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  header.writeUInt16LE(HEADER_BYTES, 52);
  header.writeUInt16LE(SEGMENT_BYTES, 54);
  header.writeUInt16LE(2, 56);
  const size = start + instructions.length;
  const loaded = segment({ type: LOADED_SEGMENT, flags: READ_AND_RUN, address: ADDRESS, size, align: PAGE_BYTES });
  const stack = segment({ type: STACK_SEGMENT, flags: READ_AND_WRITE, address: 0, size: 0, align: 1 });
  return Buffer.concat([header, loaded, stack, instructions]);
}

const EXECUTABLE = 2;

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly size: number;
  readonly align: number;
}

function segment({ type, flags, address, size, align }: Segment): Buffer {
  const bytes = Buffer.alloc(SEGMENT_BYTES);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(flags, 4);
  for (const [at, value] of [
    [16, address],
    [24, address],
    [32, size],
    [40, size],
    [48, align],
  ] as const)
    bytes.writeBigUInt64LE(BigInt(value), at);
  return bytes;
}
