// Which language a file is in, by its name.

import { C } from './c.ts';
import { CSHARP } from './csharp.ts';
import { GO, GO_MODULE } from './go.ts';
import { JAVA } from './java.ts';
import { JAVASCRIPT, PACKAGE_JSON } from './javascript.ts';
import type { Language } from './language.ts';
import { PHP } from './php.ts';
import { PYTHON } from './python-imports.ts';
import { RUBY } from './ruby.ts';
import { CARGO, RUST } from './rust.ts';

const BY_NAME = new Map([
  ['package.json', PACKAGE_JSON],
  ['go.mod', GO_MODULE],
  ['Cargo.toml', CARGO],
]);
const BY_EXTENSION = new Map(
  [JAVASCRIPT, PYTHON, GO, RUST, JAVA, C, RUBY, PHP, CSHARP].flatMap((language) =>
    language.extensions.map((extension) => [extension, language] as const),
  ),
);

export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return BY_NAME.get(name) ?? BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
