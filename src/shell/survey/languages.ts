// Which language a file is in, by its name; and the languages whose imports need few lines to read.
import { JAVASCRIPT, PACKAGE_JSON } from './javascript.ts';
import { matches, scanned, namedBy, typesNamedIn, stemOf, type Language } from './language.ts';
import { PYTHON } from './python-imports.ts';
import { CARGO, RUST } from './rust.ts';
import { parentFolderOf, within } from './tree-index.ts';

// C, C++ and Objective-C: an include is relative to the file's folder, else the nearest file whose path ends with it.

const C_INCLUDE = /^[ \t]*#[ \t]*(?:include|import)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

const C: Language = {
  extensions: ['c', 'h', 'cc', 'hh', 'cpp', 'hpp', 'cxx', 'hxx', 'inl', 'ipp', 'm', 'mm', 'cu', 'cuh'],
  scan: (text) => scanned(matches(text, C_INCLUDE)),
  resolve: ({ from, name, index }) => {
    const beside = within(parentFolderOf(from), name);
    if (beside !== undefined && index.has(beside)) return [beside];
    const found = index.endingIn(name.replace(/^(?:\.\.?\/)+/, ''), from);
    return found === undefined ? [] : [found];
  },
};

// C#: a `using` names a namespace; its files whose names occur in the importing file count as imported.
//
// Limit: code of the same namespace needs no `using`, so such imports are not seen.

const USING = /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;/gm;

const CSHARP: Language = {
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

// Go: an import names a folder below a module of a go.mod; all of its files count as imported, except tests.

const SINGLE = /^[ \t]*import[ \t]+(?:[\w.]+[ \t]+)?"([^"\n]+)"/gm;
const BLOCK = /^[ \t]*import[ \t]*\(([^()]*)\)/gm;

const GO: Language = {
  extensions: ['go'],
  scan: (text) =>
    scanned([...matches(text, SINGLE), ...matches(text, BLOCK).flatMap((block) => matches(block, /"([^"\n]+)"/g))]),
  resolve: ({ name, index }) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
      const [module] = index.declaring(`module ${name.slice(0, end)}`);
      const folder = module === undefined ? undefined : within(parentFolderOf(module), name.slice(end + 1));
      if (folder !== undefined)
        return index.filesIn(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    }
    return [];
  },
};

/** Not a language, but the file that names modules. */
const GO_MODULE: Language = {
  extensions: [],
  scan: (text) =>
    scanned(
      [],
      matches(text, /^module[ \t]+"?([^\s"]+)/gm).map((name) => `module ${name}`),
    ),
  resolve: () => [],
};

// Java and Kotlin: a class by its package and file name; of a whole package, the files whose names occur.
//
// Limit: code of the same package needs no import, so such imports are not seen.

const IMPORT = /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]*\w(?:\.\*)?)/gm;

const JAVA: Language = {
  extensions: ['java', 'kt', 'kts'],
  scan: (text, path) => {
    const [name] = matches(text, /^[ \t]*package[ \t]+([\w.]+)/gm);
    const found = scanned(
      matches(text, IMPORT),
      name === undefined ? [] : [`java ${name}.${stemOf(path)}`, `java ${name}.*`],
    );
    const isWhole = found.imports.some((each) => each.endsWith('.*'));
    return isWhole ? { ...found, words: typesNamedIn(text) } : found;
  },
  resolve: ({ name, words, index }) => {
    if (name.endsWith('.*') && index.declaring(`java ${name}`).length > 0)
      return namedBy(index.declaring(`java ${name}`), words);
    // A static import names a member of a class, and a Kotlin import may name a function in any file of the package.
    for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
      const [found] = index.declaring(`java ${name.slice(0, end)}`);
      if (found !== undefined) return [found];
    }
    return [];
  },
};

// PHP: a class by its namespace and file name, and files that are included by path.

const USE = /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]*\w)(?:\\\{([^{}]*)\})?/gm;
const PHP_INCLUDE = /\b(?:require|include)(?:_once)?[ \t(]+(?:__DIR__[ \t]*\.[ \t]*)?["']([^"'\n]+)["']/g;

const PHP: Language = {
  extensions: ['php'],
  scan: (text, path) => {
    const [namespace] = matches(text, /^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)/gm);
    const own = namespace === undefined ? stemOf(path) : `${namespace}\\${stemOf(path)}`;
    return scanned([...classesUsed(text), ...matches(text, PHP_INCLUDE).map((name) => `./${name}`)], [`php ${own}`]);
  },
  resolve: ({ from, name, index }) => {
    if (!name.startsWith('./')) return index.declaring(`php ${name}`).slice(0, 1);
    const beside = within(parentFolderOf(from), name.slice(2).replace(/^\//, ''));
    if (beside !== undefined && index.has(beside)) return [beside];
    const found = index.endingIn(name.replace(/^[./]+/, ''), from);
    return found === undefined ? [] : [found];
  },
};

function classesUsed(text: string): readonly string[] {
  return [...text.matchAll(USE)].flatMap(([, name = '', group]) => {
    if (group === undefined) return [name];
    return group
      .split(',')
      .flatMap((one) => /^\s*([\w\\]+)/.exec(one)?.[1] ?? [])
      .map((inner) => `${name}\\${inner}`);
  });
}

// Ruby: `require_relative` from the file, `require` and `load` by the end of a path.
//
// Limit: constants that a framework loads by name are not seen.

const RELATIVE = /^[ \t]*require_relative[ \t(]+["']([^"'\n]+)["']/gm;
const REQUIRE = /^[ \t]*(?:require|load)[ \t(]+["']([^"'\n]+)["']/gm;
const AUTOLOAD = /^[ \t]*autoload[ \t(]+:\w+[ \t]*,[ \t]*["']([^"'\n]+)["']/gm;

const withEnding = (name: string): string => (name.endsWith('.rb') ? name : `${name}.rb`);

const RUBY: Language = {
  extensions: ['rb', 'rake'],
  scan: (text) =>
    scanned([
      ...matches(text, RELATIVE).map((name) => (name.startsWith('.') ? name : `./${name}`)),
      ...matches(text, REQUIRE),
      ...matches(text, AUTOLOAD),
    ]),
  resolve: ({ from, name, index }) => {
    const target = name.startsWith('.')
      ? within(parentFolderOf(from), withEnding(name))
      : index.endingIn(withEnding(name), from);
    return target === undefined ? [] : [target];
  },
};

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
