// XML text and attributes from any string. Every string that a picture did not make itself passes through here.

import { cleanLine } from './label.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe between tags and inside a quoted attribute. */
export function escapeXml(text: string): string {
  return cleanLine(text).replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}

/** A coordinate with at most one decimal: pictures stay small and the same on every machine. */
export function round(value: number): number {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? 0 : rounded;
}
