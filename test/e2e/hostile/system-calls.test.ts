// A hostile program makes system calls that a sandbox denies; programs that people use make those that it allows.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { DENIED_CALLS } from '../../../src/shell/sandbox/isolation/denied-calls.ts';
import { isolation, need, skipUnless, type Need } from '../../needs.given.ts';
import { ATTEMPT, endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

const program = (name: string): Need => {
  const isThere = spawnSync(name, ['--version']).error === undefined;
  return { name: 'other', missing: isThere ? undefined : `${name} is not installed` };
};

const filter: Need = {
  name: 'other',
  missing: ['x64', 'arm64'].includes(process.arch) ? undefined : 'there is no filter for this processor',
};

const numberOf = (name: string): number | undefined =>
  DENIED_CALLS.find((call) => call.name === name)?.number[process.arch === 'arm64' ? 'arm64' : 'x64'];

/** Succeeds where the call does; by perl, which makes any call by its number, with texts that can be written to. */
function call(name: string, ...args: readonly (string | number)[]): string {
  const words = args.map((word, nth) => (String(word).startsWith('"') ? `my $s${nth} = ${word}` : word));
  return `attempt '${name} ${args.join(' ').replaceAll("'", '')}' perl -e '$b = "\\0" x 4096; exit(syscall(${[numberOf(name), ...words].join(', ')}) < 0)'`;
}

const ROGUE = `${ATTEMPT}
${call('keyctl', 0, -3, 0)}
${call('keyctl', 1, 0)}
${call('add_key', '"user"', '"heddle"', '"secret"', 6, -4)}
${call('request_key', '"user"', '"heddle-probe"', 0, 0)}
attempt 'see keys' cat /proc/keys
${call('socket', 40, 1, 0)}
${call('socket', 38, 5, 0)}
${call('unshare', 0x1000_0000)}
${call('clone', 0x1000_0011, 0, 0, 0, 0)}
${call('clone3', '$b', 64)}
attempt 'mount what no kernel knows' perl -e 'syscall(${numberOf('mount')}, my $a = "none", my $b = "/tmp", my $c = "none-such", 0, 0); exit($! == 1)'
${call('fsopen', '"tmpfs"', 0)}
${call('open_tree', -100, '"/tmp"', 0)}
${call('io_uring_setup', 1, '$b')}
${call('userfaultfd', 1)}
${call('perf_event_open', '$b', 0, -1, -1, 0)}
${call('bpf', 0, '$b', 64)}
${call('name_to_handle_at', -100, '"/tmp"', '$b = pack("L", 128) . $b', '$m = "\\0" x 8', 0)}
${call('syslog', 10, 0, 0)}
${call('ioctl', 0, 0x5412, '"x"')}
echo "did: all"
`;

const ATTEMPTS = ROGUE.split('\n').filter((line) => line.startsWith('attempt ')).length;

describe('system calls in a sandbox that the system isolates', () => {
  skipUnless(ISOLATION);
  skipUnless(filter);

  test('fail where they reach past it, and would not fail outside', async (context) => {
    need(context, program('perl'));
    const rogue = (wanted: string) =>
      givenPrison({
        sandbox: `isolation: ${wanted}`,
        tasks: 'tasks:\n  rogue: { run: sh rogue.sh }\n',
        files: { 'rogue.sh': ROGUE },
      });
    const [inside, outside] = [rogue('os'), rogue('none')];
    expect(await inside.heddle('run')).toMatchObject({ code: 0 });
    const said = (await inside.said('rogue')).split('\n');
    expect(said.filter((line) => line.startsWith('ESCAPED'))).toEqual([]);
    expect(said.filter((line) => line.startsWith('held: '))).toHaveLength(ATTEMPTS);
    expect(await outside.heddle('run')).toMatchObject({ code: 0 });
    const escaped = await outside.said('rogue');
    for (const name of ['keyctl', 'add_key']) expect(escaped).toContain(`ESCAPED: ${name}`);
  });

  test('work for debuggers, and for programs that confine themselves', async (context) => {
    need(context, program('perl'));
    need(context, program('strace'));
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: `tasks:
  traced: { run: "strace -f -o trace sh -c 'exit 0' && grep -q exit_group trace && rm trace" }
  threads: { run: node threads.cjs }
  personality: { run: setarch -R true }
  filtered: { run: perl filtered.pl }
`,
      files: {
        'threads.cjs': 'new (require("worker_threads").Worker)("process.exit(0)", { eval: true });\n',
        // Whether the kernel knows how to allow a call: the first question of programs that filter their own.
        'filtered.pl': `$allow = pack("L", 0x7fff0000); exit(syscall(${process.arch === 'arm64' ? 277 : 317}, 2, 0, $allow) < 0);\n`,
      },
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
  });
});
