// Saves what a page shows: its data as JSON, or its picture.
import type { ReactNode } from 'react';
import { Menu } from './menu.tsx';

interface SaveViewProps {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly data: () => unknown;
  /** The picture of the page, where it has one. */
  readonly picture?: () => HTMLCanvasElement | SVGSVGElement | null;
  /** Further files. */
  readonly children?: ReactNode;
}

export const SaveView = ({ name, data, picture, children }: SaveViewProps): ReactNode => (
  <Menu label="Save">
    {picture !== undefined && (
      <button type="button" onClick={() => savePicture(name, picture())}>
        Save picture
      </button>
    )}
    <button
      type="button"
      onClick={() => saveBlob(`${name}.json`, new Blob([jsonOf(data())], { type: 'application/json' }))}
    >
      Save JSON
    </button>
    {children}
  </Menu>
);

const jsonOf = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value), 2);

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function savePicture(name: string, picture: HTMLCanvasElement | SVGSVGElement | null): void {
  if (picture instanceof HTMLCanvasElement)
    picture.toBlob((blob) => {
      if (blob !== null) saveBlob(`${name}.png`, blob);
    });
  else if (picture !== null) saveBlob(`${name}.svg`, new Blob([svgText(picture)], { type: 'image/svg+xml' }));
}

const DRAWN_WITH = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'opacity'];

/** The picture with its colours: the file has no style sheet. */
function svgText(picture: SVGSVGElement): string {
  // A copy of an element is an element of the same kind.
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const [all, copies] = [picture.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [at, element] of [...all].entries()) {
    const style = getComputedStyle(element);
    for (const name of DRAWN_WITH) copies[at]?.setAttribute(name, style.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
