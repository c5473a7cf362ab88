// Asks the person through the protocol's own question, and takes each yes once, for exactly what was shown.
//
// confirmation/C1. A yes names the tool, the run, the position of its log and a hash of the text that was shown. All of it
//     is signed with a key that only this process has; a yes for anything else asks again.
// confirmation/C2. A yes works once. What was shown is computed again first, and a run that has moved on in between is
//     shown again unless it would look the same.
// confirmation/C3. The form has a field without a default that must be filled in: some clients accept empty forms for
//     their user.
// confirmation/C4. A client that cannot ask gets the command that a person can type, and nothing is done.
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { failed, said } from './tool-reply.ts';

export interface Confirmations {
  readonly verify: (state: string, context: ServerContext) => Promise<Shown>;
  readonly mint: (shown: Shown) => Promise<string>;
  /** False for a question that was answered before. */
  readonly isNew: (id: string) => boolean;
}

interface Shown {
  readonly id: string;
  readonly tool: string;
  readonly run: string;
  readonly position: number;
  readonly hash: string;
}

const KEY_BYTES = 32;
/** A person may be away for a while; a run is seldom the same after an hour. */
const VALID_SECONDS = 3_600;

export function openConfirmations(): Confirmations {
  const codec = createRequestStateCodec<Shown>({ key: randomBytes(KEY_BYTES), ttlSeconds: VALID_SECONDS });
  const used = new Set<string>();
  return {
    verify: (state, context) => codec.verify(state, context),
    mint: (shown) => codec.mint(shown),
    isNew: (id) => {
      if (used.has(id)) return false;
      used.add(id);
      return true;
    },
  };
}

type FormFields = ElicitRequestFormParams['requestedSchema']['properties'];

export interface PersonQuestion {
  readonly tool: string;
  /** Undefined before there is a run. */
  readonly run: string | undefined;
  /** Of the log that the message was computed from. */
  readonly position: number;
  /** What would be done, in words. The same state gives the same words. */
  readonly message: string;
  /** Names what would be done, where the message does not say all of it. */
  readonly expects: string;
  /** The one field of the form. */
  readonly field: { readonly name: string; readonly schema: FormFields[string] };
  /** With which a person does the same at a terminal. */
  readonly commandLine: string;
}

export interface Asking {
  readonly context: ServerContext;
  readonly confirmations: Confirmations;
  /** As the client declared them for the whole connection. */
  readonly capabilities: ClientCapabilities | undefined;
}

export type PersonAnswer =
  | { readonly type: 'answered'; readonly value: unknown }
  | { readonly type: 'reply'; readonly reply: CallToolResult | InputRequiredResult };

const FIELD = 'answer';

export async function askPerson(asking: Asking, question: PersonQuestion): Promise<PersonAnswer> {
  const { context, confirmations } = asking;
  if (!canAsk(asking)) return { type: 'reply', reply: failed(refusalText(question)) };
  const response = inputResponse(context.mcpReq.inputResponses, FIELD);
  if (response.kind !== 'elicit') return await ask(asking, question, '');
  const shown = context.mcpReq.requestState<Shown>();
  if (shown === undefined || !confirmations.isNew(shown.id))
    return { type: 'reply', reply: failed('This answer was given before, or for nothing. Nothing was done.') };
  if (response.action !== 'accept')
    return { type: 'reply', reply: said('The person declined. Nothing was done; ask them how to go on.') };
  if (!isSame(shown, shownBy(question))) return await ask(asking, question, 'This has changed since it was shown.\n\n');
  return { type: 'answered', value: response.content?.[question.field.name] };
}

async function ask({ confirmations }: Asking, question: PersonQuestion, before: string): Promise<PersonAnswer> {
  const { message, field } = question;
  const requestedSchema = {
    type: 'object' as const,
    properties: { [field.name]: field.schema },
    required: [field.name],
  };
  const state = await confirmations.mint({ id: randomUUID(), ...shownBy(question) });
  const reply = inputRequired({
    inputRequests: { [FIELD]: inputRequired.elicit({ mode: 'form', message: `${before}${message}`, requestedSchema }) },
    requestState: state,
  });
  return { type: 'reply', reply };
}

const shownBy = ({ tool, run = '', position, message, expects }: PersonQuestion): Omit<Shown, 'id'> => ({
  tool,
  run,
  position,
  hash: createHash('sha256')
    .update(JSON.stringify([message, expects]))
    .digest('base64url'),
});

/** A log that has grown without changing what is shown leaves the yes in force; it can never have shrunk. */
const isSame = (one: Omit<Shown, 'id'>, now: Omit<Shown, 'id'>): boolean =>
  one.tool === now.tool && one.run === now.run && one.hash === now.hash && one.position <= now.position;

/** A request may declare what its client can do; else the connection did. */
function canAsk({ context, capabilities }: Asking): boolean {
  const envelope: Fields | undefined = context.mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? capabilities;
  const elicitation = isObject(declared) ? declared['elicitation'] : undefined;
  // An empty capability is that of forms; one that names only addresses is not.
  return isObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
}

const refusalText = ({ message, commandLine }: PersonQuestion): string =>
  `This client cannot ask its user, so nothing was done. The person can type: ${commandLine}\n\n${message}`;

/** The field of a plain yes or no. */
export const yesField = (title: string): PersonQuestion['field'] => ({
  name: 'yes',
  schema: { type: 'boolean', title },
});
