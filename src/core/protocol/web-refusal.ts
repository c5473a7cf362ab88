// Why the web server refused a request by itself: codes with facts, and their sentences, as in git-failure.
import type { Facts, FailureOf } from './git-failure.ts';

const ofAccess = {
  'no-token': () => 'The request has no token. Open the whole address that heddle web prints: it holds the token.',
  'wrong-token': () =>
    'The token is not the one of this server. Open the whole address that heddle web prints: a new start has a new token.',
  'token-expired': () => 'The token has expired. Have another one made: heddle token add.',
  'token-revoked': () => 'The token was revoked. Have another one made: heddle token add.',
  'wrong-role': () => 'The token is not for this. heddle token list shows what each token is for.',
  'too-many-tries': () => 'Too many wrong tokens came from this address. Wait a minute, then use one that works.',
  'code-used': () => 'This address was opened before, and it works once. Open the one that heddle web prints.',
  'wrong-host': () =>
    'The server does not answer to this name. Use the address that it printed, or start it with --public-url and this one.',
  'wrong-origin': () => 'The request came from a page of another site. Open the address that heddle web prints.',
  'cross-site': () => 'The request came from another site. Open the address that heddle web prints.',
  'read-only': () => 'This dashboard is read-only: start heddle web without --read-only to act from it.',
};

const ofTickets = {
  'wrong-ticket': () => 'The link is not whole, or the run that sent it is over. Answer in the inbox of heddle web.',
  'ticket-used': () => 'The question has been answered, or is not open any more.',
  'ticket-expired': () => 'The link is too old. Answer in the inbox of heddle web.',
  'not-an-answer': ({ answers }: { readonly answers: readonly string[] }) =>
    `The question takes another answer: ${answers.join(', ')}.`,
};

const RELOAD = 'Reload the page, which may be of another version than the server.';

const ofRequests = {
  'unknown-route': () => `The server has nothing at this address. ${RELOAD}`,
  'malformed-path': () => `The address of the request cannot be read. ${RELOAD}`,
  'wrong-method': ({ methods }: { readonly methods: readonly string[] }) =>
    `The server takes ${methods.join(' or ')} at this address. ${RELOAD}`,
  'missing-parameter': ({ name }: Facts<'name'>) => `The request lacks the parameter ${name}. ${RELOAD}`,
  'malformed-parameter': ({ name }: Facts<'name'>) => `The parameter ${name} of the request cannot be read. ${RELOAD}`,
  'missing-field': ({ name }: Facts<'name'>) => `The request lacks the field ${name}. ${RELOAD}`,
  'malformed-json': () => `The body of the request is no JSON object. ${RELOAD}`,
  'body-too-large': ({ bytesMax }: { readonly bytesMax: number }) =>
    `The request has more than the ${bytesMax} bytes that the server reads. Send a smaller one.`,
  'unknown-command': () => `The server does not know this command. ${RELOAD}`,
};

const ofGit = {
  'git-not-allowed': () => 'This token does not open git here. Ask for one of the right role with heddle token.',
  'git-not-yours': () => 'The claim has ended, or another host has it.',
  'git-unknown': () => 'git finds nothing at this address.',
  'git-busy': () => 'The server has as many transfers of git objects as it takes at once. Try again in a moment.',
};

const ofServers = {
  'project-unknown': ({ project, like }: Facts<'project'> & { readonly like: string | undefined }) =>
    `There is no project ${project} here.${like === undefined ? '' : ` Did you mean ${like}?`} The page Runs lists what there is.`,
  'claim-unknown': ({ task, attempt }: Facts<'task'> & { readonly attempt: number }) =>
    `There is no output of attempt ${attempt} of ${task}: it printed nothing, or its files were removed.`,
  'page-not-built': () => 'The page is not built. Run npm ci in the clone of Heddle, and try again.',
  'too-many-commands': ({ max }: { readonly max: number }) =>
    `The server carries out ${max} commands already. Try again when one of them is over.`,
  'malformed-call': () => 'The server cannot read this call. Use the same version of Heddle on both machines.',
  'other-protocol': ({ version }: Facts<'version'>) =>
    `The server runs Heddle ${version}, which takes calls of another form. Use the same version on both machines.`,
  'command-over': () => 'The command that asked is over, so its question needs no answer any more.',
  'command-unstarted': ({ message }: Facts<'message'>) =>
    `The server could not start the command (${message}). Try again when the machine has room.`,
  bug: () => 'The server met a fault of its own. What heddle web printed in its terminal says more; please report it.',
};

/** The sentence of each code. */
export const WEB_REFUSALS = { ...ofAccess, ...ofTickets, ...ofRequests, ...ofGit, ...ofServers };

export type WebRefusal = FailureOf<typeof WEB_REFUSALS>;
