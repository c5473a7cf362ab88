import { describe, expect, test } from 'vitest';
import { indexTree } from './tree-index.ts';
import { languageOf } from './languages.ts';

/** Which files of a tree each file imports, as the survey would find it. */
function importsIn(texts: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  const read = Object.entries(texts).map(([path, text]) => ({
    path,
    scan: languageOf(path)?.scan(text, path) ?? { imports: [], declares: [], words: new Set<string>() },
  }));
  const index = indexTree(read.map(({ path, scan }) => ({ path, declares: scan.declares })));
  return Object.fromEntries(
    read.flatMap(({ path, scan }) => {
      const found = scan.imports.flatMap(
        (name) => languageOf(path)?.resolve({ from: path, name, words: scan.words, index }) ?? [],
      );
      const known = [...new Set(found)].filter((to) => index.has(to) && to !== path).sort();
      return known.length === 0 ? [] : [[path, known] as const];
    }),
  );
}

describe('imports of each language', () => {
  test('TypeScript and JavaScript: endings, indexes, re-exports, packages of the tree and aliases', () => {
    expect(
      importsIn({
        'packages/app/src/main.ts': `
          import { a } from './a.js';
          import type { B } from "./b";
          export * from './views';
          const c = await import('./c.mjs'); const d = require("./d");
          import '@/styles'; import x from '@acme/kit'; import y from '@acme/kit/deep/y'; import fs from 'node:fs';
          import { up } from '../../../../outside';
          import {
            many,
          } from '~/many';`,
        'packages/app/src/a.ts': '',
        'packages/app/src/b.tsx': '',
        'packages/app/src/views/index.tsx': "import '..';",
        'packages/app/src/index.ts': '',
        'packages/app/src/c.mts': '',
        'packages/app/src/d.js': '',
        'packages/app/src/styles.ts': '',
        'packages/app/src/many.ts': '',
        'packages/kit/package.json': '{\n  "name": "@acme/kit",\n "main": "x" }',
        'packages/kit/src/index.ts': '',
        'packages/kit/deep/y.ts': '',
        'packages/bare/package.json': '{}',
      }),
    ).toEqual({
      'packages/app/src/main.ts': [
        'packages/app/src/a.ts',
        'packages/app/src/b.tsx',
        'packages/app/src/c.mts',
        'packages/app/src/d.js',
        'packages/app/src/many.ts',
        'packages/app/src/styles.ts',
        'packages/app/src/views/index.tsx',
        'packages/kit/deep/y.ts',
        'packages/kit/src/index.ts',
      ],
      'packages/app/src/views/index.tsx': ['packages/app/src/index.ts'],
    });
  });

  test('Python: modules, packages, relative imports, names in brackets, and nothing of the standard library', () => {
    expect(
      importsIn({
        'src/shop/cart.py': `import os, json as j
import shop.money
from . import tax
from .. import other
from .views.page import (
    Page,  # a class
    row,
)
from shop.models import Order, user
from __future__ import annotations
`,
        'src/shop/__init__.py': '',
        'src/shop/money.py': 'from shop import tax',
        'src/shop/tax.py': 'import shop',
        'src/shop/views/page.py': 'from ..money import Money\nfrom . import style',
        'src/shop/views/__init__.py': '',
        'src/shop/models/__init__.py': '',
        'src/shop/models/user.py': '',
        'src/other.py': '',
        'tests/test_cart.py': 'from shop.cart import Cart',
      }),
    ).toEqual({
      'src/shop/cart.py': [
        'src/other.py',
        'src/shop/models/__init__.py',
        'src/shop/models/user.py',
        'src/shop/money.py',
        'src/shop/tax.py',
        'src/shop/views/page.py',
      ],
      'src/shop/money.py': ['src/shop/tax.py'],
      'src/shop/tax.py': ['src/shop/__init__.py'],
      'src/shop/views/page.py': ['src/shop/money.py', 'src/shop/views/__init__.py'],
      'tests/test_cart.py': ['src/shop/cart.py'],
    });
  });

  test('Go: an import means the files of a folder below the module, tests aside', () => {
    expect(
      importsIn({
        'go.mod': 'module example.com/shop\n',
        'tools/go.mod': 'module example.com/shop/tools\n',
        'main.go': 'package main\nimport (\n\t"fmt"\n\tm "example.com/shop/money"\n\t"example.com/shop/tools/gen"\n)\n',
        'cart/cart.go': 'import "example.com/shop"',
        'money/money.go': '',
        'money/round.go': '',
        'money/money_test.go': '',
        'tools/gen/gen.go': 'import x "example.com/elsewhere"',
      }),
    ).toEqual({
      'cart/cart.go': ['main.go'],
      'main.go': ['money/money.go', 'money/round.go', 'tools/gen/gen.go'],
    });
  });

  test('Rust: crate, self, super, trees of names, other crates; a mod imports nothing', () => {
    expect(
      importsIn({
        'Cargo.toml': '[workspace]\nmembers = ["app", "my-kit"]',
        'my-kit/Cargo.toml': '[package]\nversion = "1"\nname = "my-kit"\n',
        'my-kit/src/lib.rs': 'mod color;',
        'my-kit/src/color.rs': '',
        'app/src/main.rs': 'mod shop;\nuse my_kit::color::Red;\nuse my_kit::Anything;\nuse std::fmt;',
        'app/src/shop/mod.rs': 'pub(crate) use self::cart::Cart;\nuse tax::Rate;',
        'app/src/shop/cart.rs':
          'use super::{money::{self, Money as M}, tax};\nuse crate::shop::views::page::Page;\nuse super::super::log::line;',
        'app/src/shop/money.rs': '',
        'app/src/shop/tax.rs': '',
        'app/src/shop/views/page.rs': '',
        'app/src/log.rs': 'use crate::log::Own;',
      }),
    ).toEqual({
      'app/src/main.rs': ['my-kit/src/color.rs', 'my-kit/src/lib.rs'],
      'app/src/shop/cart.rs': [
        'app/src/log.rs',
        'app/src/shop/money.rs',
        'app/src/shop/tax.rs',
        'app/src/shop/views/page.rs',
      ],
      'app/src/shop/mod.rs': ['app/src/shop/cart.rs', 'app/src/shop/tax.rs'],
    });
  });

  test('Java and Kotlin: classes, static names, and of a whole package those that are named', () => {
    expect(
      importsIn({
        'src/main/java/com/shop/Cart.java':
          'package com.shop;\nimport com.shop.money.Money;\nimport static com.shop.tax.Rates.LOW;\nimport com.shop.views.*;\nimport java.util.List;\nclass Cart { Page page; }',
        'src/main/java/com/shop/money/Money.java': 'package com.shop.money;',
        'src/main/java/com/shop/tax/Rates.java': 'package com.shop.tax;',
        'src/main/java/com/shop/views/Page.java': 'package com.shop.views;',
        'src/main/java/com/shop/views/Row.java': 'package com.shop.views;',
        'src/main/kotlin/App.kt': 'import com.shop.Cart\nimport com.shop.views.Row as R',
      }),
    ).toEqual({
      'src/main/java/com/shop/Cart.java': [
        'src/main/java/com/shop/money/Money.java',
        'src/main/java/com/shop/tax/Rates.java',
        'src/main/java/com/shop/views/Page.java',
      ],
      'src/main/kotlin/App.kt': ['src/main/java/com/shop/Cart.java', 'src/main/java/com/shop/views/Row.java'],
    });
  });

  test('C and C++: beside the file first, else the nearest path with that end', () => {
    expect(
      importsIn({
        'src/cart.c': '#include "cart.h"\n# include <shop/money.h>\n#include <stdio.h>\n#include "../lib/log.h"',
        'src/cart.h': '',
        'include/shop/money.h': '',
        'lib/log.h': '#include "config.h"',
        'lib/x/config.h': '',
        'other/config.h': '',
      }),
    ).toEqual({
      'lib/log.h': ['lib/x/config.h'],
      'src/cart.c': ['include/shop/money.h', 'lib/log.h', 'src/cart.h'],
    });
  });

  test('Ruby: relative files, files on the load path, and what is loaded by name', () => {
    expect(
      importsIn({
        'lib/shop/cart.rb': "require_relative 'money'\nrequire 'shop/tax'\nrequire 'json'\nautoload :Page, 'shop/page'",
        'lib/shop/money.rb': '',
        'lib/shop/tax.rb': "require_relative('../shop.rb')",
        'lib/shop/page.rb': '',
        'lib/shop.rb': '',
      }),
    ).toEqual({
      'lib/shop/cart.rb': ['lib/shop/money.rb', 'lib/shop/page.rb', 'lib/shop/tax.rb'],
      'lib/shop/tax.rb': ['lib/shop.rb'],
    });
  });

  test('PHP: classes by namespace, groups of them, and files by path', () => {
    expect(
      importsIn({
        'src/Cart.php':
          "<?php\nnamespace Shop;\nuse Shop\\Money\\Coin;\nuse Shop\\Views\\{Page, Row as R};\nuse DateTime;\nrequire_once __DIR__ . '/../boot.php';\ninclude('lib/log.php');",
        'src/Money/Coin.php': '<?php namespace Shop\\Money;',
        'src/Views/Page.php': '<?php\nnamespace Shop\\Views;',
        'src/Views/Row.php': '<?php\nnamespace Shop\\Views;',
        'boot.php': '<?php',
        'lib/log.php': "<?php require 'nowhere.php';",
      }),
    ).toEqual({
      'src/Cart.php': ['boot.php', 'lib/log.php', 'src/Money/Coin.php', 'src/Views/Page.php', 'src/Views/Row.php'],
    });
  });

  test('C#: of a namespace the files that are named, and types by a name of their own', () => {
    expect(
      importsIn({
        'Shop/Cart.cs':
          'using System;\nusing Shop.Money;\nusing static Shop.Tax.Rates;\nusing Own = Shop.Tax.Table;\nnamespace Shop;\nclass Cart { Coin coin; }',
        'Shop/Money/Coin.cs': 'namespace Shop.Money { class Coin {} }',
        'Shop/Money/Note.cs': 'namespace Shop.Money;',
        'Shop/Tax/Rates.cs': 'namespace Shop.Tax;',
        'Shop/Tax/Table.cs': 'namespace Shop.Tax;',
      }),
    ).toEqual({ 'Shop/Cart.cs': ['Shop/Money/Coin.cs', 'Shop/Tax/Rates.cs', 'Shop/Tax/Table.cs'] });
  });

  test('a file of no language that is known imports nothing', () => {
    expect(importsIn({ 'a.txt': "import './b.ts'", 'b.ts': '' })).toEqual({});
  });

  test('a name that stands in very many files leads to none of them', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x${at}/config.h`, '']));
    expect(importsIn({ ...many, 'main.c': '#include <config.h>' })).toEqual({});
  });
});
