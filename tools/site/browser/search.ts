// Searches the sections of all pages. The index is a script, so that it works from a folder too, where nothing can be
// fetched; it is loaded when the reader first searches.

interface Section {
  readonly file: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** In small letters. */
  readonly lowTitle: string;
  readonly low: string;
}

/** File, title of the page, title of the section, text. */
type IndexRow = readonly [file: string, page: string, title: string, text: string];

const FOUND_MAX = 20;
const SHOWN_AROUND = 60;
const CLOSED = -1;

function startSearch(input: HTMLInputElement, list: HTMLElement): void {
  const root = document.documentElement.dataset['root'] ?? '.';
  let sections: readonly Section[] | undefined;
  let selected = CLOSED;

  const show = (): void => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found = best(sections ?? [], words);
    selected = CLOSED;
    list.replaceChildren(...found.map((section, index) => itemOf(section, { root, word: words[0] ?? '', index })));
    if (words.length > 0 && found.length === 0 && sections !== undefined) list.append(nothingFound());
    list.hidden = list.children.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const load = (): void => {
    if (document.querySelector('#search-index') !== null) return;
    const script = document.createElement('script');
    script.id = 'search-index';
    script.src = `${root}/search-index.js`;
    script.addEventListener('load', () => {
      sections = readIndex();
      show();
    });
    document.head.append(script);
  };
  const select = (next: number): void => {
    const items = [...list.querySelectorAll('[role=option]')];
    if (items.length === 0) return;
    items[selected]?.removeAttribute('aria-selected');
    selected = (next + items.length) % items.length;
    const item = items[selected];
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', item?.id ?? '');
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => select(selected + 1),
    ArrowUp: () => select(selected - 1),
    Enter: () => list.querySelectorAll<HTMLAnchorElement>('[role=option] a')[Math.max(selected, 0)]?.click(),
    Escape: () => {
      input.value = '';
      show();
      input.blur();
    },
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.search') === null) list.hidden = true;
  });
}

function readIndex(): readonly Section[] {
  // The script of the index is written by the same program, in this form.
  const { HEDDLE_SECTIONS: rows = [] } = globalThis as { readonly HEDDLE_SECTIONS?: readonly IndexRow[] };
  return rows.map(([file, page, title, text]) => ({
    file,
    page,
    title,
    text,
    lowTitle: `${page} ${title}`.toLowerCase(),
    low: text.toLowerCase(),
  }));
}

function best(sections: readonly Section[], words: readonly string[]): readonly Section[] {
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX)
    .map(({ section }) => section);
}

const [IN_TITLE, WHOLE_WORD, IN_TEXT] = [20, 5, 1];

/** Every word must occur; one in a title counts more, and so does a whole word. */
function scoreOf({ lowTitle, low }: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const isInTitle = lowTitle.includes(word);
    if (!isInTitle && !low.includes(word)) return 0;
    const whole = new RegExp(String.raw`(?<!\w)${word.replaceAll(/\W/g, String.raw`\$&`)}(?!\w)`);
    score += (isInTitle ? IN_TITLE : 0) + (whole.test(`${lowTitle} ${low}`) ? WHOLE_WORD : IN_TEXT);
  }
  return score;
}

interface Showing {
  readonly root: string;
  readonly word: string;
  readonly index: number;
}

function itemOf({ file, page, title, text, low }: Section, { root, word, index }: Showing): HTMLElement {
  const link = document.createElement('a');
  link.href = `${root}/${file}`;
  link.tabIndex = -1;
  const name = document.createElement('strong');
  name.textContent = title === '' || title === page ? page : `${page}: ${title}`;
  const at = Math.max(0, low.indexOf(word) - SHOWN_AROUND);
  const around = document.createElement('span');
  around.textContent = `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * SHOWN_AROUND)}`;
  link.append(name, around);
  const item = document.createElement('li');
  item.id = `found-${index}`;
  item.setAttribute('role', 'option');
  item.append(link);
  return item;
}

function nothingFound(): HTMLElement {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = 'Nothing found.';
  return item;
}

const field = document.querySelector<HTMLInputElement>('#search');
const found = document.querySelector<HTMLElement>('#found');
if (field !== null && found !== null) startSearch(field, found);
