// Replies in short, for tests.
import type { CommandReply } from './reply.ts';

/** Each note by its code and its data. */
export const notesIn = ({ notes }: CommandReply): string =>
  notes
    .map(({ code, ...data }) => {
      const values = Object.values(data).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
      return [code, ...values.filter((value) => value !== undefined)].join(' ');
    })
    .join('; ');
