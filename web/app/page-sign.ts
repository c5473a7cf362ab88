// The title and the icon of the tab say how many questions wait.
import { useEffect } from 'react';

const SIZE = 32;

export function usePageSign(title: string, questions: number): void {
  useEffect(() => {
    document.title = questions > 0 ? `(${questions}) ${title} · Heddle` : `${title} · Heddle`;
  }, [title, questions]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = drawIcon(questions);
  }, [questions]);
}

/** Crossed threads, and the number over them. */
function drawIcon(questions: number): string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SIZE, SIZE];
  const pen = canvas.getContext('2d');
  if (pen === null) return 'data:,';
  pen.strokeStyle = '#3b72d9';
  pen.lineWidth = 4;
  for (const at of [9, 23]) {
    pen.strokeRect(at, -4, 0, SIZE + 8);
    pen.strokeRect(-4, at, SIZE + 8, 0);
  }
  if (questions > 0) {
    pen.fillStyle = '#f0a92b';
    pen.beginPath();
    pen.arc(20, 20, 12, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = '#1d1300';
    pen.font = '700 17px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(questions > 9 ? '9+' : String(questions), 20, 21);
  }
  return canvas.toDataURL('image/png');
}
