import { instance, type Viz } from '@viz-js/viz';
import { LRUCache } from 'lru-cache';

let graphviz: Promise<Viz> | undefined;

/**
 * The number of rendered graphs that are kept. Rendering a graph of a hundred nodes blocks the process for a tenth of a second, and most
 * graphs are requested again.
 */
const cacheSizeMax = 100;
const cache = new LRUCache<string, string>({ max: cacheSizeMax });

/**
 * Adapts the SVG of Graphviz, which is made for print. Uses pixels instead of points, and replaces links without a target by titles. The
 * tooltip of the graph becomes the title of the image.
 */
function adaptSvgForScreen(svg: string, style: string): string {
  const [, width, height, viewBox] = /<svg width="(\d+)pt" height="(\d+)pt"\s+viewBox="([^"]*)"/.exec(svg) ?? [];
  const body = svg
    .slice(svg.indexOf('<g '))
    .replace(/<!--[^]*?-->\n/g, '')
    .replaceAll('&#45;', '-')
    .replace(
      /(?:<title>[^<]*<\/title>\n)?<g id="[^"]*"><a xlink:title="([^"]*)">\n([^]*?)<\/a>\n<\/g>\n/g,
      '<title>$1</title>\n$2',
    );
  const [title = ''] = /<title>[^<]*<\/title>/.exec(body) ?? [];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}" role="img">\n` +
    `${title}\n<style>${style}</style>\n${body.replace(title, '').trimEnd()}\n`
  );
}

/**
 * Renders a DOT graph as SVG in pixels with an embedded style sheet. The tooltip of the graph is the title of the image. The SVG has no
 * script and no external reference. Throws the error of Graphviz for an invalid DOT text.
 */
export async function renderDot(dot: string, style: string): Promise<string> {
  const key = `${style}\n${dot}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  graphviz ??= instance();
  try {
    const svg = (await graphviz).renderString(dot, { engine: 'dot', format: 'svg_inline' });
    const adapted = adaptSvgForScreen(svg, style);
    cache.set(key, adapted);
    return adapted;
  } catch (error) {
    // After an error, an instance of Graphviz may stay broken. The next call creates a new one.
    graphviz = undefined;
    throw error;
  }
}
