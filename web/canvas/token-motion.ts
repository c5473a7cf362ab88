// Tokens on their way: after a transition fired, dots move along its arcs, first to it and then on from it.
import { useEffect, useRef } from 'react';
import type { Point } from '../../src/core/view/svg/picture-layout.ts';
import type { Pen } from './draw-node.ts';
import type { PlanScene } from './plan-scene.ts';
import type { SceneColours } from './scene-look.ts';

/** The firing that the picture shows; another `position` is another firing. */
export interface Firing {
  readonly node: string;
  readonly position: number;
}

/** How far the tokens of a firing are, from 0 to 1. */
export interface Motion {
  readonly node: string;
  readonly share: number;
}

const MOTION_MS = 700;
const DOT = 5;

/** Never for those who asked for no motion, and not when the picture is shown for the first time. */
export function useMotion(firing: Firing | undefined, draw: (motion: Motion | undefined) => void): void {
  const last = useRef<number>(undefined);
  const { node, position } = firing ?? {};
  useEffect(() => {
    const isOn = last.current !== undefined && position !== undefined && position > last.current;
    last.current = position;
    if (!isOn || node === undefined || globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches)
      return undefined;
    const from = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = (now - from) / MOTION_MS;
      draw(share >= 1 ? undefined : { node, share: Math.max(0, share) });
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [node, position, draw]);
}

export function drawMotion(pen: Pen, { edges }: PlanScene, { motion, colours }: MotionDrawing): void {
  const isComing = motion.share < 0.5;
  const share = (motion.share % 0.5) * 2;
  pen.fillStyle = colours.asksFill;
  pen.strokeStyle = colours.asks;
  pen.lineWidth = 1.5;
  for (const { edge, stops } of edges) {
    if ((isComing ? edge.to : edge.from) !== motion.node) continue;
    const { x, y } = pointAlong(stops, share);
    pen.beginPath();
    pen.arc(x, y, DOT, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}

interface MotionDrawing {
  readonly motion: Motion;
  readonly colours: SceneColours;
}

/** The point after a share of the length of a line. */
export function pointAlong(stops: readonly Point[], share: number): Point {
  const lengths = stops.slice(1).map((to, at) => distance(stops[at] ?? to, to));
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [at, length] of lengths.entries()) {
    const [from, to] = [stops[at], stops[at + 1]];
    if (from === undefined || to === undefined) break;
    if (left <= length) {
      const part = length === 0 ? 0 : left / length;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
    left -= length;
  }
  return stops.at(-1) ?? { x: 0, y: 0 };
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
