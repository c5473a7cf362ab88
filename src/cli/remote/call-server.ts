// One request to a server, and why it got no reply.
import * as http from 'node:http';
import * as https from 'node:https';
import { rootCertificates } from 'node:tls';
import { isObject } from '../../core/plan/json-fields.ts';
import { webErrorText } from '../../core/view/text/web-error-text.ts';
import { CommandFailure } from '../terminal/exit-code.ts';
import { contentOf, type Server } from './choose-server.ts';

/** Below the address of a server. */
export const EXEC_PATH = 'api/exec';

export interface CallRequest {
  /** Below the server's address, without a slash at its beginning. */
  readonly path: string;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** The reply to a request that the server took; everything else is a sentence. */
export async function callServer(server: Server, calling: CallRequest): Promise<http.IncomingMessage> {
  const response = await sent(server, calling);
  if (response.statusCode === 200) return response;
  throw new CommandFailure(await refusalIn(response, server));
}

/** So long may the server need to accept the connection and to start the command. */
const ANSWERS_WITHIN_MS = 60_000;

function sent({ url, token, authorities }: Server, { path, body, signal }: CallRequest): Promise<http.IncomingMessage> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
      ...(authorities === undefined ? {} : { ca: [...rootCertificates, contentOf(authorities)] }),
      ...(signal === undefined ? {} : { signal }),
    });
    const fail = (cause: NodeJS.ErrnoException): void =>
      reject(new CommandFailure(unreachedText(url, cause), { cause }));
    request.setTimeout(ANSWERS_WITHIN_MS, () => request.destroy(new Error('it does not answer')));
    request.on('error', fail);
    request.on('response', (response) => {
      request.setTimeout(0);
      resolve(response);
    });
    request.end(bytes);
  });
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

function unreachedText({ host }: URL, { code = '', message }: NodeJS.ErrnoException): string {
  if (UNTRUSTED.has(code))
    return `Nobody that this machine trusts has signed the certificate of ${host}. Name the file of who has, with --tls-ca.`;
  switch (code) {
    case 'ECONNREFUSED':
      return `No server listens at ${host}. Start heddle serve there, or correct the address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${host} is not known here. Correct the address, or look at the network.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of ${host} is for another name. Use the name that it is for.`;
    default:
      return `${host} cannot be reached: ${message}. Look at the address and the network, and try again.`;
  }
}

const ERROR_BYTES_MAX = 64 * 1024;

async function refusalIn(response: http.IncomingMessage, { url }: Server): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) {
    // With an encoding a response gives text.
    text += part as string;
    if (text.length > ERROR_BYTES_MAX) break;
  }
  const error = errorIn(text);
  if (error === undefined)
    return `${url.host} answers with ${response.statusCode}, and not as a Heddle server does. Correct the address.`;
  if (error.code === 'no-token' || error.code === 'wrong-token')
    return `${url.host} does not take this token: it is wrong, expired or revoked. heddle login ${url.origin} stores another.`;
  if (error.code === 'unknown-route')
    return `The server at ${url.host} takes no commands of other machines. Start heddle serve there.`;
  return webErrorText(error);
}

function errorIn(text: string): { readonly code: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value['code'] === 'string' ? { ...value, code: value['code'] } : undefined;
  } catch {
    return undefined;
  }
}
