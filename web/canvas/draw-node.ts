// One node: a task with its sign, name, work, state and progress; a place with its tokens; a transition that flashes.
import type { LayoutFrame } from '../../src/core/view/svg/picture-layout.ts';
import type { PictureNode } from '../../src/core/view/draw/picture.ts';
import { GROUP_SIGNS, type TaskGroup } from '../model/task-rows.ts';
import type { NodeLook, SceneColours } from './scene-look.ts';
import { FOOT_HEIGHT, hasFoot } from './plan-scene.ts';

export type Pen = CanvasRenderingContext2D;

interface NodeDrawing {
  readonly node: PictureNode;
  readonly frame: LayoutFrame;
  readonly look: NodeLook;
  readonly colours: SceneColours;
  readonly hasText: boolean;
  readonly breath: number;
}

const NAME_SIZE = 13;
const LINE_SIZE = 11;
const FONT = 'system-ui, sans-serif';
const STACK = 4;

export function drawNode(pen: Pen, drawing: NodeDrawing): void {
  const { node, look } = drawing;
  pen.globalAlpha = look.isDim ? 0.25 : 1;
  if (node.kind === 'place' || node.kind === 'transition') drawOfNet(pen, drawing);
  else drawTask(pen, drawing);
  pen.globalAlpha = 1;
}

interface Shade {
  readonly line: string;
  readonly fill: string;
  readonly tint: string;
}

function shadeOf(group: TaskGroup, colours: SceneColours): Shade {
  switch (group) {
    case 'asks':
      return { line: colours.asks, fill: colours.asksFill, tint: colours.asksTint };
    case 'running':
      return { line: colours.running, fill: colours.runningFill, tint: colours.runningTint };
    case 'failed':
      return { line: colours.failed, fill: colours.failedFill, tint: colours.failedTint };
    case 'done':
      return { line: colours.done, fill: colours.doneFill, tint: colours.doneTint };
    case 'waiting':
    case 'cancelled':
    case 'skipped':
      return { line: colours.waiting, fill: colours.waitingFill, tint: colours.panel };
  }
}

function drawTask(pen: Pen, { node, frame, look, colours, hasText, breath }: NodeDrawing): void {
  const shade = shadeOf(look.group, colours);
  if (node.kind === 'folded') {
    outline(pen, node, {
      ...frame,
      x: frame.x + STACK,
      y: frame.y,
      width: frame.width - STACK,
      height: frame.height - STACK,
    });
    fillAndLine(pen, colours.panel, colours.line, 1);
  }
  const card =
    node.kind === 'folded'
      ? { ...frame, y: frame.y + STACK, width: frame.width - STACK, height: frame.height - STACK }
      : frame;
  if (look.isSelected) {
    outline(pen, node, { x: card.x - 4, y: card.y - 4, width: card.width + 8, height: card.height + 8 });
    fillAndLine(pen, undefined, colours.focus, 3);
  }
  outline(pen, node, card);
  fillAndLine(pen, shade.tint, look.group === 'waiting' ? colours.line : shade.fill, look.isCritical ? 3 : 1.5);
  if (look.group === 'running' && breath > 0) {
    pen.globalAlpha = 0.5 * breath;
    fillAndLine(pen, undefined, shade.fill, 6);
    pen.globalAlpha = 1;
  }
  if (look.share !== undefined) drawShare(pen, { card, share: look.share, shade });
  if (hasText) drawTexts(pen, { node, card, look, colours, shade });
}

function fillAndLine(pen: Pen, fill: string | undefined, line: string, width: number): void {
  if (fill !== undefined) {
    pen.fillStyle = fill;
    pen.fill();
  }
  pen.lineWidth = width;
  pen.strokeStyle = line;
  pen.stroke();
}

function outline(pen: Pen, { kind }: PictureNode, { x, y, width, height }: LayoutFrame): void {
  pen.beginPath();
  if (kind === 'gate') {
    pen.moveTo(x + width / 2, y);
    pen.lineTo(x + width, y + height / 2);
    pen.lineTo(x + width / 2, y + height);
    pen.lineTo(x, y + height / 2);
    pen.closePath();
  } else pen.roundRect(x, y, width, height, kind === 'join' || kind === 'place' ? height / 2 : kind === 'run' ? 3 : 8);
}

interface ShareDrawing {
  readonly card: LayoutFrame;
  readonly share: number;
  readonly shade: Shade;
}

function drawShare(pen: Pen, { card, share, shade }: ShareDrawing): void {
  pen.fillStyle = shade.fill;
  pen.fillRect(card.x + 8, card.y + card.height - 5, Math.max(0, card.width - 16) * share, 3);
}

interface TextDrawing {
  readonly node: PictureNode;
  readonly card: LayoutFrame;
  readonly look: NodeLook;
  readonly colours: SceneColours;
  readonly shade: Shade;
}

function drawTexts(pen: Pen, { node, card, look, colours, shade }: TextDrawing): void {
  const lines = node.label.length;
  const foot = hasFoot(node) ? FOOT_HEIGHT : 0;
  const tall = 17 + (lines - 1) * 15 + foot;
  const middle = card.x + card.width / 2;
  const room = card.width - 12;
  let y = card.y + (card.height - tall) / 2 + 9;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  node.label.forEach((line, index) => {
    pen.font = index === 0 ? `600 ${NAME_SIZE}px ${FONT}` : `${LINE_SIZE}px ${FONT}`;
    pen.fillStyle = index === 0 ? colours.text : colours.quiet;
    pen.fillText(line, middle, y, room);
    y += index === 0 ? 17 : 15;
  });
  pen.fillStyle = shade.line;
  pen.font = `600 ${LINE_SIZE}px ${FONT}`;
  if (foot > 0) pen.fillText(look.foot, middle, y, room);
  else pen.fillText(GROUP_SIGNS[look.group], middle, card.y + 14);
}

const DOTS_MAX = 4;

function drawOfNet(pen: Pen, { node, frame, look, colours, hasText }: NodeDrawing): void {
  const { x, y, width, height } = frame;
  outline(pen, node, frame);
  const isMarked = look.tokens > 0;
  if (node.kind === 'transition')
    fillAndLine(
      pen,
      look.hasFired ? colours.asksFill : colours.waitingTint,
      look.hasFired ? colours.asks : colours.quiet,
      look.hasFired ? 3 : 1.5,
    );
  else
    fillAndLine(
      pen,
      isMarked ? colours.runningTint : colours.panel,
      isMarked ? colours.runningFill : colours.line,
      isMarked ? 2 : 1.2,
    );
  if (look.isSelected) fillAndLine(pen, undefined, colours.focus, 3);
  if (hasText) {
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    const lines = node.kind === 'place' ? node.label.slice(0, 1) : node.label;
    lines.forEach((line, index) => {
      pen.font = index === 0 ? `600 ${NAME_SIZE}px ${FONT}` : `${LINE_SIZE}px ${FONT}`;
      pen.fillStyle = index === 0 ? colours.text : colours.quiet;
      pen.fillText(
        line,
        x + width / 2,
        y + height / 2 - ((lines.length - 1) * 15) / 2 + index * 15 - (isMarked ? 5 : 0),
        width - 10,
      );
    });
  }
  if (node.kind === 'place' && isMarked) drawTokens(pen, { frame, tokens: look.tokens, colours });
}

interface Tokens {
  readonly frame: LayoutFrame;
  readonly tokens: number;
  readonly colours: SceneColours;
}

function drawTokens(pen: Pen, { frame, tokens, colours }: Tokens): void {
  const middle = frame.x + frame.width / 2;
  const y = frame.y + frame.height - 8;
  pen.fillStyle = colours.running;
  const dots = Math.min(tokens, DOTS_MAX);
  for (let dot = 0; dot < dots; dot += 1) {
    pen.beginPath();
    pen.arc(middle + (dot - (dots - 1) / 2) * 9 - (tokens > DOTS_MAX ? 8 : 0), y, 3.5, 0, 2 * Math.PI);
    pen.fill();
  }
  if (tokens <= DOTS_MAX) return;
  pen.font = `600 ${LINE_SIZE}px ${FONT}`;
  pen.fillText(`×${tokens}`, middle + 20, y);
}
