// The part of a picture that is in sight: pan and zoom as values.
import type { LayoutFrame, Point } from '../../src/core/view/svg/picture-layout.ts';

/** A point of the picture times `scale`, plus `x` and `y`, is a point of the screen. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

const SCALE_MIN = 0.02;
const SCALE_MAX = 3;
const MARGIN = 16;

export const toPicture = ({ x, y, scale }: Viewport, at: Point): Point => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
});

export const panBy = (view: Viewport, x: number, y: number): Viewport => ({ ...view, x: view.x + x, y: view.y + y });

/** The point of the picture under `at` stays there. */
export function zoomAt(view: Viewport, at: Point, factor: number): Viewport {
  const scale = Math.max(SCALE_MIN, Math.min(SCALE_MAX, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** All of it in sight; a small picture keeps its size, `largest` times. */
export function fitIn(screen: ScreenSize, picture: ScreenSize, largest = 1): Viewport {
  const scale = Math.max(
    SCALE_MIN,
    Math.min(largest, (screen.width - 2 * MARGIN) / picture.width, (screen.height - 2 * MARGIN) / picture.height),
  );
  return {
    scale,
    x: (screen.width - picture.width * scale) / 2,
    y: Math.max(MARGIN, (screen.height - picture.height * scale) / 2),
  };
}

/** All of it while that can be made out, else the beginning of the picture, large enough to be read. */
export function startIn(screen: ScreenSize, picture: ScreenSize & { readonly isDown: boolean }, largest = 1): Viewport {
  const whole = fitIn(screen, picture, largest);
  if (whole.scale >= WHOLE_FROM) return whole;
  const middle = (screen.width - picture.width * READABLE) / 2;
  return { scale: READABLE, x: picture.isDown ? middle : Math.max(middle, MARGIN), y: MARGIN };
}

/** Texts can be read from this scale on. */
const READABLE = 0.75;
/** Somewhat smaller, because a whole plan says more than the middle of it. */
const WHOLE_FROM = 0.5;

/** In the middle, large enough to be read. */
export function centreOn(view: Viewport, screen: ScreenSize, frame: LayoutFrame): Viewport {
  const scale = Math.max(view.scale, READABLE);
  return {
    scale,
    x: screen.width / 2 - (frame.x + frame.width / 2) * scale,
    y: screen.height / 2 - (frame.y + frame.height / 2) * scale,
  };
}

/** The part of the picture in sight. */
export function inSight(view: Viewport, { width, height }: ScreenSize): LayoutFrame {
  const { x, y } = toPicture(view, { x: 0, y: 0 });
  return { x, y, width: width / view.scale, height: height / view.scale };
}

export const overlap = (one: LayoutFrame, other: LayoutFrame): boolean =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height;
