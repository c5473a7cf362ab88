import { describe, expect, test } from 'vitest';
import { readXml } from './read-xml.ts';

/** What a visitor is told, in short: `<name attr=value`, text in quotes, `>`. */
function told(source: string): string {
  const parts: string[] = [];
  const problem = readXml(source, {
    open: ({ name, namespace, attributes }) => {
      const shown = attributes.map((part, index) => (index % 2 === 0 ? ` ${part}` : `=${part}`)).join('');
      parts.push(`<${namespace === '' ? '' : `{${namespace}}`}${name}${shown}`);
    },
    text: (text) => parts.push(JSON.stringify(text)),
    close: () => parts.push('>'),
  });
  return problem === undefined ? parts.join(' ') : `${problem.offset}: ${problem.message}`;
}

describe('well-formed documents', () => {
  test.each([
    ['<a/>', '<a >'],
    ['<a b="1" c = \'"2"\' ></a >', '<a b=1 c="2" >'],
    ['<a>x<b/>y</a>', '<a "x" <b > "y" >'],
    ['<?xml version="1.0"?><!-- c --><a><?p i?></a><!--d-->\n', '<a >'],
    ['<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;&#x1F600;</a>', '<a "<>&\'\\"AB😀" >'],
    ['<a><![CDATA[<&]]]]></a>', '<a "<&]]" >'],
    ['<a>1\r\n2\r3</a>', '<a "1\\n2\\n3" >'],
    ['<a xmlns="u"><p:b xmlns:p="v" p:c="1"/><d xmlns=""/></a>', '<{u}a <{v}b p:c=1 > <d > >'],
    ['<é.1 ü="ñ"/>', '<é.1 ü=ñ >'],
  ])('%s', (source, expected) => {
    expect(told(source)).toBe(expected);
  });
});

describe('documents that are not well formed', () => {
  test.each([
    ['', 'it has no element'],
    ['just text', 'text outside'],
    ['<a>', 'ends before </a>'],
    ['<a><b></a></b>', '</a> stands where </b> must'],
    ['<a/></a>', 'never opened'],
    ['<a/><b/>', 'after the end'],
    ['<a/>tail', '4: There is text outside'],
    ['<a b="1" b="2"/>', 'b is given twice'],
    ['<a b=1/>', 'not written as XML asks here'],
    ['<a b="<"/>', 'not written as XML asks here'],
    ['<a b="1"c="2"/>', 'not written as XML asks here'],
    ['<a', 'not written as XML asks here'],
    ['<a>< b/></a>', 'must begin a tag'],
    ['<a></ a>', 'not complete'],
    ['<a></a/>', 'not complete'],
    ['<a>&nope;</a>', 'The entity &nope; is not known'],
    ['<a>& b</a>', 'write &amp; for the sign itself'],
    ['<a>&#0;</a>', 'not a character that XML allows'],
    ['<a>&#xD800;</a>', 'not a character that XML allows'],
    ['<a b="&x;"/>', 'The entity &x; is not known'],
    ['<a>\u0001</a>', '3: There is a character here'],
    ['<a><![CDATA[\u0001]]></a>', 'a character here'],
    ['<a>]]></a>', 'may not stand in text'],
    ['<![CDATA[x]]><a/>', 'outside the root'],
    ['<a><![CDATA[x</a>', 'inside a CDATA section'],
    ['<a><!-- x</a>', 'inside a comment'],
    ['<a><!-- x -- y --></a>', '"--" may not stand inside a comment'],
    ['<?xml ', 'inside a processing instruction'],
    ['<p:a/>', 'The prefix p of <p:a> is not declared'],
    ['<!DOCTYPE a [<!ENTITY x "xx">]><a>&x;</a>', 'Declared entities are not read'],
    ['<!DOCTYPE a SYSTEM "u"><a>&u;</a>', 'The entity &u; is not known'],
    ['<!DOCTYPE a [', 'ends inside a DOCTYPE'],
    ['<a><!DOCTYPE a></a>', 'must stand before'],
    [`<a ${Array.from({ length: 300 }, (_, index) => `b${index}=""`).join(' ')}/>`, 'more than 256 attributes'],
    ['<a>'.repeat(300), 'nested more than 256 deep'],
  ])('%s', (source, expected) => {
    expect(told(source)).toContain(expected);
  });
});
