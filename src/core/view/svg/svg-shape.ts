// The outline of each kind of node, the size that its text needs, and the places where lines may end on it.

import type { LayoutFrame, BoxSize } from './picture-layout.ts';
import type { PictureNode } from '../draw/picture.ts';
import { textWidth } from '../draw/text-width.ts';
import { round } from '../draw/svg-theme.ts';

const NAME_SIZE = 13;
const LINE_SIZE = 11;
const LINE_HEIGHT = 15;
const NAME_HEIGHT = 17;
const PAD_ACROSS = 14;
const PAD_ALONG = 9;
const WIDTH_MIN = 72;
/** How far a card of a stack shows behind the one before it. */
const STACK = 4;

export function measureNode(node: PictureNode): BoxSize {
  const text = textSize(node);
  switch (node.kind) {
    case 'gate':
      return diamondSize(node, text);
    case 'place':
      return { width: Math.max(34, text.width + text.height + 8), height: text.height + 14 };
    case 'join':
      return { width: Math.max(WIDTH_MIN, text.width + 2 * PAD_ACROSS + 12), height: text.height + 2 * PAD_ALONG };
    case 'transition':
      return { width: text.width + 2 * PAD_ACROSS, height: text.height + 12 };
    case 'for_each':
    case 'folded':
      return {
        width: Math.max(WIDTH_MIN, text.width + 2 * PAD_ACROSS) + STACK,
        height: text.height + 2 * PAD_ALONG + STACK,
      };
    case 'prompt':
    case 'run':
    case 'steps':
    case 'subplan':
      return { width: Math.max(WIDTH_MIN, text.width + 2 * PAD_ACROSS), height: text.height + 2 * PAD_ALONG };
  }
}

/** The part of an edge of this length where lines may end. */
export function portRoom(node: PictureNode, length: number): number {
  switch (node.kind) {
    case 'gate':
      return 0;
    case 'place':
    case 'join':
      return length * 0.35;
    case 'transition':
    case 'for_each':
    case 'folded':
    case 'prompt':
    case 'run':
    case 'steps':
    case 'subplan':
      return length * 0.7;
  }
}

function textSize(node: PictureNode): BoxSize {
  const widths = node.label.map((line, index) => textWidth(line, index === 0 ? NAME_SIZE * 1.05 : LINE_SIZE));
  const width = widths.reduce((most, one) => Math.max(most, one), 0);
  return { width: Math.ceil(width), height: NAME_HEIGHT + (node.label.length - 1) * LINE_HEIGHT };
}

/** Wide enough that each line fits where the diamond has narrowed at its height. */
function diamondSize(node: PictureNode, text: BoxSize): BoxSize {
  const height = text.height * 2 + 18;
  let width = WIDTH_MIN;
  for (const [index, line] of node.label.entries()) {
    const top = index === 0 ? 0 : NAME_HEIGHT + (index - 1) * LINE_HEIGHT;
    const bottom = NAME_HEIGHT + index * LINE_HEIGHT;
    const farthest = Math.max(Math.abs(top - text.height / 2), Math.abs(bottom - text.height / 2)) - 2;
    const own = textWidth(line, index === 0 ? NAME_SIZE * 1.05 : LINE_SIZE) + 10;
    width = Math.max(width, own / (1 - (2 * farthest) / height));
  }
  return { width: Math.ceil(width), height };
}

/** The outline, and the baseline of the first line of text. */
export function drawShape(
  node: PictureNode,
  frame: LayoutFrame,
): { readonly shape: string; readonly firstLine: number } {
  const text = textSize(node);
  const isStack = node.kind === 'for_each' || node.kind === 'folded';
  const room = frame.height - (isStack ? STACK : 0);
  const top = frame.y + (isStack ? STACK : 0);
  return { shape: outline(node, frame), firstLine: top + (room - text.height) / 2 + NAME_SIZE };
}

function outline(node: PictureNode, frame: LayoutFrame): string {
  const look = `node ${node.kind}${node.optional ? ' optional' : ''}`;
  const { x, y, width, height } = frame;
  switch (node.kind) {
    case 'gate':
      return polygon(look, [x + width / 2, y, x + width, y + height / 2, x + width / 2, y + height, x, y + height / 2]);
    case 'join':
    case 'place':
      return rectangle(look, frame, height / 2);
    case 'for_each':
    case 'folded': {
      const card = { width: width - STACK, height: height - STACK };
      return rectangle(look, { x: x + STACK, y, ...card }, 7) + rectangle(look, { x, y: y + STACK, ...card }, 7);
    }
    case 'run':
    case 'transition':
      return rectangle(look, frame, 2);
    case 'prompt':
    case 'steps':
    case 'subplan':
      return rectangle(look, frame, 8);
  }
}

function rectangle(look: string, { x, y, width, height }: LayoutFrame, radius: number): string {
  return `<rect class="${look}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}"/>`;
}

function polygon(look: string, numbers: readonly number[]): string {
  return `<polygon class="${look}" points="${numbers.map(round).join(' ')}"/>`;
}
