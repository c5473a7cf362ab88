// The canvas of a scene: draws when something changed, and while tasks breathe; says nothing to a screen reader, for which
// the table beside it has the same tasks.
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import type { PictureEdge } from '../../src/core/view/draw/picture.ts';
import { readColours } from '../parts/read-colours.ts';
import { remPx } from '../parts/rem-px.ts';
import { drawScene, partsIn, type Drawing, type SceneParts } from './draw-scene.ts';
import { looksOf, noteChanges, withMargin, type DrawnLooks } from './scene-changes.ts';
import type { Pen } from './draw-node.ts';
import { hitAt, type PlanScene, type SceneHit } from './plan-scene.ts';
import { SCENE_COLOURS, type EdgeLook, type NodeLook, type SceneColours } from './scene-look.ts';
import { useMotion, type Firing, type Motion } from './token-motion.ts';
import { useViewport } from './use-viewport.ts';
import { centreOn, fitIn, inSight, startIn, zoomAt, type Viewport } from './viewport.ts';

/** What buttons beside the canvas can do with it. */
export interface CanvasHandle {
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly centre: (node: string) => void;
  /** As it is drawn. */
  readonly picture: () => HTMLCanvasElement | null;
}

interface PlanCanvasProps {
  readonly scene: PlanScene;
  readonly lookOf: (node: string) => NodeLook;
  readonly edgeLook: (edge: PictureEdge) => EdgeLook;
  /** Whether something in the scene is running. */
  readonly breathes: boolean;
  /** In a net: the transition that fired last. */
  readonly firing: Firing | undefined;
  readonly onHit: (hit: SceneHit) => void;
  readonly label: string;
  readonly handle: Ref<CanvasHandle>;
}

export function PlanCanvas(props: PlanCanvasProps): ReactNode {
  const { scene, lookOf, edgeLook, breathes, firing, onHit, label, handle } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<Viewport>({ x: 0, y: 0, scale: 0 });
  const colours = useRef<SceneColours>(undefined);
  const frame = useRef(0);
  const latest = useRef({ scene, lookOf, edgeLook });

  const last = useRef<LastDrawing>(undefined);

  const draw = useCallback((breath = 0, motion?: Motion) => {
    const element = canvas.current;
    const pen = element?.getContext('2d', { alpha: false });
    if (element === null || pen === null || pen === undefined) return;
    const size = sizeOf(element);
    if (view.current.scale === 0) view.current = startIn(size, latest.current.scene, remPx() / TEXT_PX);
    colours.current ??= readColours(element, SCENE_COLOURS);
    const drawing = { ...latest.current, view: view.current, size, colours: colours.current, breath, motion };
    const parts = partsIn(drawing.scene, inSight(drawing.view, size));
    drawScene(pen, drawing, { parts, within: undefined });
    last.current = { drawing, pen, parts, looks: looksOf(parts, drawing) };
  }, []);
  const redraw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => draw());
  }, [draw]);

  const redrawNow = useCallback(() => draw(), [draw]);
  // Before the frame is shown, and not in the one after it, which would be a second one for each step of the replay.
  useLayoutEffect(() => {
    latest.current = { scene, lookOf, edgeLook };
    const before = last.current;
    if (before?.drawing.scene !== scene || before.drawing.view !== view.current) return redraw();
    const within = noteChanges(before.looks, { lookOf, edgeLook });
    if (within === undefined) return undefined;
    const drawing = { ...before.drawing, lookOf, edgeLook, breath: 0, motion: undefined };
    drawScene(before.pen, drawing, { parts: partsIn(before.parts, withMargin(within)), within });
    return undefined;
  }, [scene, lookOf, edgeLook, redraw]);
  useResize(canvas, redrawNow);
  useEffect(() => {
    const onTheme = (): void => {
      colours.current = undefined;
      last.current = undefined;
      redraw();
    };
    const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
    globalThis.addEventListener('themechange', onTheme);
    dark.addEventListener('change', onTheme);
    return () => {
      globalThis.removeEventListener('themechange', onTheme);
      dark.removeEventListener('change', onTheme);
    };
  }, [redraw]);
  useBreath(breathes, draw);
  const drawTokens = useCallback((motion: Motion | undefined) => draw(0, motion), [draw]);
  useMotion(firing, drawTokens);
  useViewport({
    canvas,
    view,
    onMove: redraw,
    onClick: (point) => {
      const hit = hitAt(latest.current.scene, point);
      if (hit !== undefined) onHit(hit);
    },
  });
  useImperativeHandle(handle, () => handleOf({ canvas, view, redraw, scene: () => latest.current.scene }), [redraw]);
  return <canvas ref={canvas} className="plan-canvas" tabIndex={0} role="img" aria-label={label} />;
}

/** What the canvas shows, as long as its scene, size and colours are the same. */
interface LastDrawing {
  readonly drawing: Drawing;
  readonly pen: Pen;
  readonly parts: SceneParts;
  readonly looks: DrawnLooks;
}

/** The size of text for which pictures are laid out. */
const TEXT_PX = 16;

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLCanvasElement) => ({ width, height });

interface Handling {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly view: RefObject<Viewport>;
  readonly redraw: () => void;
  readonly scene: () => PlanScene;
}

function handleOf({ canvas, view, redraw, scene }: Handling): CanvasHandle {
  const change = (next: (element: HTMLCanvasElement) => Viewport): void => {
    if (canvas.current === null) return;
    view.current = next(canvas.current);
    redraw();
  };
  return {
    zoom: (factor) =>
      change(({ clientWidth, clientHeight }) =>
        zoomAt(view.current, { x: clientWidth / 2, y: clientHeight / 2 }, factor),
      ),
    fit: () => change((element) => fitIn(sizeOf(element), scene(), remPx() / TEXT_PX)),
    centre: (id) => {
      const found = scene().nodes.find(({ node }) => node.id === id);
      if (found !== undefined) change((element) => centreOn(view.current, sizeOf(element), found.frame));
    },
    picture: () => canvas.current,
  };
}

/** A canvas has as many pixels as the screen, and is drawn at once, so that it does not flicker. */
function useResize(canvas: RefObject<HTMLCanvasElement | null>, draw: () => void): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      element.width = Math.round(element.clientWidth * globalThis.devicePixelRatio);
      element.height = Math.round(element.clientHeight * globalThis.devicePixelRatio);
      draw();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, draw]);
}

const BREATH_MS = 2400;
const FRAME_MS = 100;

/** Slow, and never for those who asked for no motion. */
function useBreath(breathes: boolean, draw: (breath: number) => void): void {
  useEffect(() => {
    if (!breathes || globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) draw((1 - Math.cos((performance.now() / BREATH_MS) * 2 * Math.PI)) / 2);
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, [breathes, draw]);
}
