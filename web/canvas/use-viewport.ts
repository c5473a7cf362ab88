// Pan and zoom of a canvas by mouse, touch and keys. A click is a press that did not move.
import { useEffect, useRef, type RefObject } from 'react';
import type { Point } from '../../src/core/view/svg/picture-layout.ts';
import { panBy, toPicture, zoomAt, type Viewport } from './viewport.ts';

interface Gestures {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly view: RefObject<Viewport>;
  /** The view has changed. */
  readonly onMove: () => void;
  /** In the picture. */
  readonly onClick: (point: Point) => void;
}

const CLICK_MOVES_MAX = 5;
const PAN_KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
};

export function useViewport({ canvas, view, onMove, onClick }: Gestures): void {
  const latest = useRef({ onMove, onClick });
  useEffect(() => {
    latest.current = { onMove, onClick };
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const change = (next: Viewport): void => {
      view.current = next;
      latest.current.onMove();
    };
    const moving = { element, view, change, click: (point: Point) => latest.current.onClick(point) };
    const ending = new AbortController();
    listenToPointers(moving, ending.signal);
    listenToWheelAndKeys(moving, ending.signal);
    return () => ending.abort();
  }, [canvas, view]);
}

interface Moving {
  readonly element: HTMLCanvasElement;
  readonly view: RefObject<Viewport>;
  readonly change: (next: Viewport) => void;
  readonly click: (point: Point) => void;
}

const placeOf = (element: HTMLCanvasElement, { clientX, clientY }: MouseEvent): Point => {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

function listenToPointers({ element, view, change, click }: Moving, signal: AbortSignal): void {
  const pointers = new Map<number, Point>();
  let moved = 0;
  const onDown = (event: PointerEvent): void => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, placeOf(element, event));
    moved = 0;
  };
  const onPointer = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = placeOf(element, event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (other === undefined) change(panBy(view.current, now.x - before.x, now.y - before.y));
    else change(pinched(view.current, { before, now, other }));
  };
  const onUp = (event: PointerEvent): void => {
    const wasDown = pointers.delete(event.pointerId);
    if (wasDown && event.type === 'pointerup' && moved <= CLICK_MOVES_MAX)
      click(toPicture(view.current, placeOf(element, event)));
  };
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', onPointer, { signal });
  element.addEventListener('pointerup', onUp, { signal });
  element.addEventListener('pointercancel', onUp, { signal });
}

function listenToWheelAndKeys({ element, view, change }: Moving, signal: AbortSignal): void {
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const at = placeOf(element, event);
    // Browsers report a pinch of a trackpad as a wheel with the control key.
    if (event.ctrlKey || event.metaKey) change(zoomAt(view.current, at, Math.exp(-event.deltaY / 200)));
    else change(panBy(view.current, -event.deltaX, -event.deltaY));
  };
  const onKey = (event: KeyboardEvent): void => {
    const middle = { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const pan = PAN_KEYS[event.key];
    if (pan !== undefined) change(panBy(view.current, ...pan));
    else if (event.key === '+' || event.key === '=') change(zoomAt(view.current, middle, 1.25));
    else if (event.key === '-') change(zoomAt(view.current, middle, 0.8));
    else return;
    event.preventDefault();
  };
  element.addEventListener('wheel', onWheel, { signal, passive: false });
  element.addEventListener('keydown', onKey, { signal });
}

interface Pinch {
  readonly before: Point;
  readonly now: Point;
  readonly other: Point;
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const pinched = (view: Viewport, { before, now, other }: Pinch): Viewport =>
  zoomAt(
    view,
    { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 },
    distance(now, other) / Math.max(1, distance(before, other)),
  );
