// Why commits did not get from one machine to another: codes with facts, and their sentences, as in git-failure.
import { isObject } from '../plan/json-fields.ts';
import { gitFailureText, failureTextIn, type Facts, type FailureOf, type GitFailure } from './git-failure.ts';

/** Of transfers that are worth another try: nothing was decided about the commit. */
const ofLinks = {
  'link-away': ({ address, cause }: Facts<'address' | 'cause'>) => `${address} cannot be reached for commits: ${cause}`,
  'not-stored': ({ failure }: { readonly failure: GitFailure }) =>
    `The server could not keep it: ${gitFailureText(failure)}`,
  'link-busy': ({ address }: Facts<'address'>) => `${address} has as many transfers of commits as it takes at once.`,
};

const ofRefusals = {
  'not-yours': ({ ref }: Facts<'ref'>) =>
    `${ref} is not for this host to write: the claim has ended, or another host has it.`,
  'unsafe-content': ({ failure }: { readonly failure: GitFailure }) => gitFailureText(failure),
  'too-large': ({ bytesMax }: { readonly bytesMax: number }) =>
    `The new objects of the commit have more than the ${bytesMax} bytes that the server takes at once; keep large files out of the commit, or ignore them.`,
  'objects-refused': ({ ref, said }: Facts<'ref' | 'said'>) => `git on the server did not take ${ref}: ${said}`,
  'commit-missing': ({ commit, address }: Facts<'commit' | 'address'>) =>
    `${address} does not have the commit ${commit}.`,
  'not-delivered': ({ commit }: Facts<'commit'>) => `Its host reported the commit ${commit} and did not deliver it.`,
  'access-refused': ({ address, status }: Facts<'address'> & { readonly status: number }) =>
    `${address} refuses this token (${status}); ask for another with heddle token.`,
  'remote-refused': ({ remote, said }: Facts<'remote' | 'said'>) => `The remote ${remote} refused the push: ${said}`,
};

const ofMachines = {
  'no-git-http': () =>
    'git on this machine cannot fetch by HTTP; install the whole git (it lacks the program git-remote-http).',
  'git-here': ({ failure }: { readonly failure: GitFailure }) => gitFailureText(failure),
};

const TRANSFER_FAILURES = { ...ofLinks, ...ofRefusals, ...ofMachines };

export type TransferFailure = FailureOf<typeof TRANSFER_FAILURES>;

export const transferFailureText = (failure: TransferFailure): string =>
  failureTextIn<TransferFailure>(TRANSFER_FAILURES, failure);

/** A failure that another machine has sent as JSON; undefined for anything else. */
export function transferFailureIn(text: string): TransferFailure | undefined {
  const value = parsed(text);
  // The facts of a code that we know come from the same program.
  return isObject(value) && String(value['code']) in TRANSFER_FAILURES ? (value as TransferFailure) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the same transfer may succeed later; otherwise it is refused for good. */
export const isPassing = ({ code }: TransferFailure): boolean => code in ofLinks;
