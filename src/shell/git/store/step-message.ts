// Messages of the commits of steps: who worked, and what programs wrote in commits of their own.

/** Addresses by which hosting services know the agents; others get one that can belong to nobody. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['claude', 'noreply@anthropic.com'],
  ['codex', 'noreply@openai.com'],
  ['gemini', 'noreply@google.com'],
]);

const CO_AUTHOR = 'Co-authored-by: ';

export const coAuthor = ({ use, model }: { readonly use: string; readonly model: string | undefined }): string =>
  `${CO_AUTHOR}${model === undefined ? use : `${use} (${model})`} <${ADDRESSES.get(use) ?? `${use}@heddle.invalid`}>`;

/** What a step's commit says between its subject and its co-author: the messages of commits that its programs made. */
export function ownMessagesIn(message: string): string {
  const [, ...body] = message.trim().split('\n');
  const isSigned = body.at(-1)?.startsWith(CO_AUTHOR) === true;
  return (isSigned ? body.slice(0, -1) : body).join('\n').trim();
}

/** The message with such messages after its subject, unless it has them already. */
export function withOwnMessages(message: string, own: readonly string[]): string {
  const [subject = '', ...rest] = message.split('\n');
  const fresh = own.filter((each) => each !== '' && !message.includes(each));
  return [subject, ...fresh, rest.join('\n').trim()].filter((part) => part !== '').join('\n\n');
}
