// A plain check list in Markdown: headings and nesting are subplans, a numbered list is in order.

import { plainItem, refusedImport, type Item, type Read, type SourceText } from '../outline/outline.ts';
import { checkBoxOf, headingOf, linesOf, type CheckBox, type TextLine } from '../outline/text-lines.ts';
import { fileName, idFromWords, mentionedFiles, paragraphs, withoutEmphasis } from '../outline/text-pieces.ts';

interface ListedItem {
  readonly box: CheckBox;
  readonly more: string[];
  readonly parts: ListedItem[];
}

interface MarkdownSection {
  readonly words: string;
  readonly line: number;
  readonly listed: ListedItem[];
}

/** A plan nests 16 deep, and a heading takes one of them. */
const DEPTH_MAX = 14;

export function readMarkdown({ path, text }: SourceText): Read {
  const sections = sectionsOf(linesOf(text)).filter(({ listed }) => listed.length > 0);
  if (sections.length === 0)
    return refusedImport(path, 1, 'There is no check box in it; a task is a line such as "- [ ] Add a parser".');
  const items =
    sections.length === 1
      ? itemsOf(sections[0]?.listed ?? [], { path, heading: sections[0]?.words ?? '' })
      : sections.flatMap((section) =>
          section.words === '' ? itemsOf(section.listed, { path, heading: '' }) : [groupOf(section, path)],
        );
  const title =
    /^\uFEFF?#\s+(.+)$/m.exec(text)?.[1] ??
    path
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\.\w+$/, '') ??
    '';
  return { type: 'outline', name: idFromWords(title) || 'check-list', items, notes: [] };
}

function sectionsOf(lines: readonly TextLine[]): readonly MarkdownSection[] {
  const sections: MarkdownSection[] = [{ words: '', line: 1, listed: [] }];
  let open: ListedItem[] = [];
  for (const line of lines) {
    const heading = headingOf(line);
    const section = sections.at(-1);
    if (heading !== undefined) {
      // A heading at the very top names the whole list and no part of it.
      const isTitle = heading.level === 1 && sections.length === 1 && section?.listed.length === 0;
      sections.push({ words: isTitle ? '' : withoutEmphasis(heading.words), line: line.number, listed: [] });
      open = [];
    } else if (section !== undefined) open = readLine(line, section, open);
  }
  return sections;
}

/** `open` are the items that the line may be a part of, outermost first. */
function readLine(line: TextLine, section: MarkdownSection, open: readonly ListedItem[]): ListedItem[] {
  const box = checkBoxOf(line);
  if (box === undefined) {
    if (line.text.trim() === '') return [...open];
    const around = open.filter(({ box: { indent } }) => indent < line.indent);
    around.at(-1)?.more.push(line.text.trim());
    return around;
  }
  const around = open.filter(({ box: { indent } }) => indent < box.indent).slice(0, DEPTH_MAX - 1);
  const listed: ListedItem = { box, more: [], parts: [] };
  (around.at(-1)?.parts ?? section.listed).push(listed);
  return [...around, listed];
}

function groupOf({ words, line, listed }: MarkdownSection, path: string): Item {
  return plainItem({
    key: `heading in line ${line}`,
    id: idFromWords(words) || 'part',
    place: { file: path, line },
    description: words,
    work: { type: 'group' },
    items: itemsOf(listed, { path, heading: words }),
  });
}

interface ListPlace {
  readonly path: string;
  readonly heading: string;
}

/** The position of the item in its file, so that an agent can read its context. */
const placeText = ({ path, heading }: ListPlace, { line }: CheckBox): string =>
  `This is line ${line.number} of ${fileName(path)}${heading === '' ? '' : `, under "${heading}"`}.`;

function itemsOf(listed: readonly ListedItem[], place: ListPlace): readonly Item[] {
  const { path } = place;
  return listed.map(({ box, more, parts }, at) => {
    const before = listed[at - 1];
    const isNext = box.isNumbered && before?.box.isNumbered === true;
    const words = paragraphs(box.words, more.join('\n'));
    const prompt = paragraphs(words, placeText(place, box));
    return plainItem({
      key: keyOf(box),
      id: idFromWords(withoutEmphasis(box.words)),
      place: { file: path, line: box.line.number },
      state: box.isTicked ? 'done' : 'open',
      after: isNext ? [keyOf(before.box)] : [],
      description: parts.length === 0 ? undefined : box.words,
      work: { type: 'prompt', prompt },
      files: mentionedFiles(words),
      mark: { type: 'box', file: path, at: box.at },
      items: itemsOf(parts, place),
    });
  });
}

/** A check list has no names, so an item is known by its line. */
const keyOf = ({ line }: CheckBox): string => `line ${line.number}`;
