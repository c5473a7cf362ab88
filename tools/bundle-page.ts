// The page of the dashboard as files that a server only has to read: one document, and assets whose names change with
// their content, so that a browser can keep them for good. Scripts of rarely used pages are fetched when they are opened.
// Nothing in them comes from elsewhere.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the page and returns the files that its scripts are made of. */
export async function bundlePage(root: string, dir: string): Promise<readonly string[]> {
  const { rolldown } = await import('rolldown');
  const sources = join(root, 'web');
  const made = await rolldown({
    input: join(sources, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(sources, 'tsconfig.json'),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await made.write({
    dir: join(dir, 'assets'),
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true },
  });
  await made.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const script = chunks.find(({ isEntry }) => isEntry)?.fileName ?? '';
  const style = writeStyle(join(sources, 'style'), join(dir, 'assets'));
  const document = readFileSync(join(sources, 'index.html'), 'utf8');
  writeFileSync(join(dir, 'index.html'), document.replace('main.css', style).replace('main.tsx', script));
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/** The style sheets of the folder as one, in the order of their names; returns the name of the file. */
function writeStyle(from: string, to: string): string {
  const sheets = readdirSync(from).filter((name) => name.endsWith('.css'));
  const text = sheets
    .toSorted()
    .map((name) => readFileSync(join(from, name), 'utf8'))
    .join('\n');
  const name = `main-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`;
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, name), text);
  return name;
}
