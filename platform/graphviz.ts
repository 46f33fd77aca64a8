import { instance, type Viz } from '@viz-js/viz';

let graphviz: Promise<Viz> | undefined;

/** Drawing a graph of a hundred nodes takes a tenth of a second in which nothing else is answered, and most are asked for again. */
const keptMost = 100;
const kept = new Map<string, string>();

/**
 * Graphviz writes for print: points in place of pixels, its own names as titles, and tooltips as links that lead nowhere. Here
 * a tooltip is the title of what it belongs to, and that of the graph is the name of the picture.
 */
function forScreens(svg: string, style: string): string {
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
 * Draws a graph in the language DOT as SVG for the screen, in pixels, with a style sheet inside. The tooltip of the graph is
 * the title of the picture. It has no script and no reference to anything outside. Throws what Graphviz says of a DOT text
 * that it cannot read.
 */
export async function renderDot(dot: string, style: string): Promise<string> {
  const key = `${style}\n${dot}`;
  let svg = kept.get(key);
  if (svg === undefined) {
    graphviz ??= instance();
    try {
      svg = forScreens((await graphviz).renderString(dot, { engine: 'dot', format: 'svg_inline' }), style);
    } catch (error) {
      // An instance that has failed once may stay broken.
      graphviz = undefined;
      throw error;
    }
  }
  // The last in the map is what was asked for last.
  kept.delete(key);
  kept.set(key, svg);
  for (const oldest of kept.keys()) if (kept.size > keptMost) kept.delete(oldest);
  return svg;
}
