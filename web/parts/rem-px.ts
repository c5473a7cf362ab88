// The size of the page's text in pixels, for what is laid out or drawn in pixels: it grows with very large screens.

export const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
