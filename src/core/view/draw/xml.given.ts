/** The fault of a piece of XML, or undefined: tags balance, attributes are quoted, text has no bare special signs. */
export function faultInXml(xml: string): string | undefined {
  const open: string[] = [];
  let rest = 0;
  for (const found of xml.matchAll(/<(\/?)([a-zA-Z]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*)(\/?)>/gu)) {
    const [tag, closing, name = '', , empty] = found;
    const text = xml.slice(rest, found.index);
    if (/[<]|&(?!(?:amp|lt|gt|quot|#39);)/u.test(text)) return `bare sign in ${text.slice(0, 80)}`;
    rest = found.index + tag.length;
    if (closing === '/' && open.pop() !== name) return `</${name}> closes nothing`;
    if (closing === '' && empty === '') open.push(name);
  }
  if (open.length > 0) return `<${open.at(-1)}> stays open`;
  return xml.slice(rest).trim() === '' ? undefined : `text after the end: ${xml.slice(rest, rest + 80)}`;
}

/** Labels that broke some program. */
export const HOSTILE_LABELS: readonly string[] = [
  '<script>alert(1)</script>',
  `"quotes" & 'more' \\"`,
  'end',
  'a]b[c{d}e(f)|g|',
  '#35; &amp; %%{init}%% --> ;',
  '`code` _under_ *star* 1. list',
  'line\nbreak\r\nand\ttab',
  '\u001B[31mred\u0007\u0000',
  '👩‍👩‍👧‍👦 emoji 🎉',
  'שלום \u202Eevil\u202C مرحبا',
  '\uD800 lone \uFFFF',
  '漢字とかな',
  'x'.repeat(10_000),
  '👩‍👩‍👧‍👦'.repeat(2_000),
  '',
  '   ',
];
