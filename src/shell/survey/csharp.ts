// C#: a `using` names a namespace; its files whose names occur in the importing file count as imported.
//
// Limit: code of the same namespace needs no `using`, so such imports are not seen.

import { matches, namedBy, scanned, typesNamedIn } from './language.ts';
import type { Language } from './language.ts';

const USING = /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;/gm;

export const CSHARP: Language = {
  extensions: ['cs'],
  scan: (text) => {
    const namespaces = matches(text, /^[ \t]*namespace[ \t]+([\w.]+)/gm);
    return {
      ...scanned(
        matches(text, USING),
        namespaces.map((name) => `namespace ${name}`),
      ),
      words: typesNamedIn(text),
    };
  },
  resolve: ({ name, words, index }) => {
    const whole = index.declaring(`namespace ${name}`);
    if (whole.length > 0) return namedBy(whole, words);
    // In `using static` and in an alias the last word is a type.
    const end = name.lastIndexOf('.');
    return end === -1
      ? []
      : namedBy(index.declaring(`namespace ${name.slice(0, end)}`), new Set([name.slice(end + 1)]));
  },
};
