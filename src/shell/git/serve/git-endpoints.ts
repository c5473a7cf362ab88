// The services of git that we offer over HTTP: fetching commits by id, fetching published branches, pushing one ref.
//
// git-endpoints/D1. A fetch by id shows no ref; a fetch of published branches gives nothing that those do not reach.
// git-endpoints/D2. No setting of the repository loosens this: ours come last, and the last one decides.
import type { Readable } from 'node:stream';
import { advertisementOf, startGitProgram, type GitProgram, type PackCommand } from './git-program.ts';
import type { PipedProcess } from '../../exec/piped-process.ts';
import { feedProgram } from './feed-program.ts';
import { advertisePush, receivePush, type PushTarget, type Receiver } from './receive-push.ts';

export interface GitCall {
  /** Not compressed. */
  readonly input: Readable;
  /** The version of git's protocol that the caller asks for, as its header says it. */
  readonly protocol: string | undefined;
  readonly signal: AbortSignal;
}

/** One command at one address. */
export interface GitEndpoint {
  readonly command: PackCommand;
  readonly advertise: (protocol: string | undefined) => Promise<Buffer>;
  /** Undefined when git was ended before it had an answer. */
  readonly answer: (call: GitCall) => Promise<Readable | Buffer | undefined>;
}

export const commitsEndpoint = ({ repository }: Receiver): GitEndpoint =>
  fetchEndpoint((protocol) => ({
    command: 'git-upload-pack',
    gitDir: repository.gitDir,
    settings: ['uploadpack.hideRefs=refs', 'uploadpack.hideRefs=HEAD', 'uploadpack.allowAnySHA1InWant=true'],
    environment: environmentFor(protocol),
  }));

/** Of the user's repository. The first protocol is the one that gives nothing by id alone. */
export const publishedEndpoint = ({ repository }: Receiver): GitEndpoint =>
  fetchEndpoint(() => ({
    command: 'git-upload-pack',
    gitDir: repository.user.commonDir,
    settings: [
      'uploadpack.hideRefs=refs',
      'uploadpack.hideRefs=HEAD',
      'uploadpack.hideRefs=!refs/heads/heddle',
      'uploadpack.allowAnySHA1InWant=false',
      'uploadpack.allowTipSHA1InWant=false',
      'uploadpack.allowReachableSHA1InWant=false',
    ],
    environment: {},
  }));

export const pushEndpoint = (receiver: Receiver, target: PushTarget): GitEndpoint => ({
  command: 'git-receive-pack',
  advertise: () => advertisePush(receiver, target),
  answer: (call) => receivePush(receiver, target, call),
});

function fetchEndpoint(programFor: (protocol: string | undefined) => GitProgram): GitEndpoint {
  return {
    command: 'git-upload-pack',
    advertise: (protocol) => advertisementOf(programFor(protocol)),
    answer: async ({ input, protocol, signal }) => {
      const program = startGitProgram(programFor(protocol), signal);
      void ask(program, input);
      return program.stdout;
    },
  };
}

/** What a caller wants and has: a line for each commit. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;

/** A request that breaks off, is no gzip, or is too long ends the program, and with it the answer. */
async function ask(program: PipedProcess, input: Readable): Promise<void> {
  try {
    const bytes = await feedProgram(program, input, REQUEST_BYTES_MAX);
    if (bytes > REQUEST_BYTES_MAX) program.kill();
  } catch {
    program.kill();
  }
}

const environmentFor = (protocol: string | undefined): Readonly<Record<string, string>> =>
  protocol === 'version=2' ? { GIT_PROTOCOL: protocol } : {};
