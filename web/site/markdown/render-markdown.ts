import MarkdownIt from 'markdown-it';
import anchors from 'markdown-it-anchor';
import path from 'node:path';
import { hashedFile } from '../hashed-file';
import type { SiteFile } from '../inputs';
import { drawDiagram } from './draw-diagram';
import { escapeHtml, highlight } from './highlight';
import type { SiteImage } from './images';
import { resolveLink } from './links';

export interface PageHeading {
  level: number;
  id: string;
  text: string;
}

export interface RenderedGuide {
  /** The first level-1 heading. It is not in `html`. */
  title: string;
  html: string;
  /** The headings of the levels 2 and 3. */
  headings: PageHeading[];
  /** The plain text below each heading of level 2 or 3, for the search. The first section is the text before the first heading. */
  sections: { id: string; heading: string; text: string }[];
  /** The image files of the diagrams. */
  files: SiteFile[];
}

/** The anchor of a heading, as GitHub makes it, so that links in the repository and on the site have the same anchors. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Matches the URL paths of this site. If inline code in a guide is such a path, it becomes a link to the page. */
const pagePath = /^\/(?:docs(?:\/[\w/-]+)?|openapi\.json)$/;

/** The keys are languages of code blocks. The values are the names of these languages in the highlighter. */
const languageNames: Record<string, string> = {
  ts: 'typescript',
  sh: 'bash',
  javascript: 'typescript',
  js: 'typescript',
};

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** `alt`: the alternative text. `shownWidth`: the width on the page, in pixels. */
function imageHtml({ url, width, height }: SiteImage, alt: string, shownWidth = width): string {
  const shownHeight = Math.round((height * shownWidth) / width);
  return `<img src="${url}" alt="${escapeHtml(alt)}" width="${shownWidth}" height="${shownHeight}" loading="lazy" decoding="async">`;
}

/** Draws a Mermaid diagram for both color schemes. Adds the two image files to `files`. */
function diagramHtml(source: string, files: SiteFile[]): string {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) =>
    hashedFile(`diagram-${scheme}`, 'svg', drawDiagram(source, scheme)),
  );
  if (!light || !dark) throw new Error('A diagram has two color schemes.');
  files.push(light, dark);
  const size = /width="([\d.]+)" height="([\d.]+)"/.exec(String(light.body)) ?? [];
  const [width, height] = size.slice(1).map((pixels) => Math.round(Number(pixels)));
  return `<figure class="diagram"><div class="diagram-frame" role="group" aria-label="Diagram" tabindex="0"><picture><source srcset="${dark.path}" media="(prefers-color-scheme: dark)"><img src="${light.path}" alt="Diagram. Its text follows." width="${width}" height="${height}" loading="lazy"></picture></div><details><summary>Diagram as text</summary><div class="code"><pre tabindex="0"><code>${escapeHtml(source.trim())}</code></pre></div></details></figure>\n`;
}

/**
 * Renders a Markdown file. The HTML has no comments of the file, such as those that mark a section for a test. `images`: the images of the
 * guides, by their path in the repository. `slugify`: returns the anchor of a heading.
 */
export function renderMarkdown(
  text: string,
  file: string,
  images: ReadonlyMap<string, SiteImage>,
  slugify = anchorOf,
): RenderedGuide {
  const files: SiteFile[] = [];
  const markdown = new MarkdownIt({
    html: false,
    highlight: (code, name) => highlight(code, languageNames[name] ?? name),
  });
  markdown.use(anchors, {
    slugify,
    permalink: anchors.permalink.headerLink({ safariReaderFix: true, class: 'anchor' }),
  });
  const { rules } = markdown.renderer;
  const findImage = (source: string) => {
    const key = path.posix.join(path.posix.dirname(file), source);
    const image = images.get(key);
    if (!image) throw new Error(`${file}: the image ${source} does not exist.`);
    return image;
  };
  rules['table_open'] = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  // An empty header becomes a normal cell, because screen readers would announce an empty header.
  const isEmptyCell = (content: string | undefined) => content === '';
  // The content security policy allows no inline style, so the alignment of a column becomes a class.
  const alignment = (token: Token | undefined) =>
    /right|center/.test(String(token?.attrGet('style') ?? '')) ? ' class="number"' : '';
  rules['th_open'] = (tokens, index) =>
    isEmptyCell(tokens[index + 1]?.content) ? '<td>' : `<th scope="col"${alignment(tokens[index])}>`;
  rules['td_open'] = (tokens, index) => `<td${alignment(tokens[index])}>`;
  rules['th_close'] = (tokens, index) => (isEmptyCell(tokens[index - 1]?.content) ? '</td>' : '</th>');
  rules['code_inline'] = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {};
    const code = `<code>${escapeHtml(content)}</code>`;
    return pagePath.test(content) ? `<a href="${content}">${code}</a>` : code;
  };
  rules['image'] = (tokens, index) =>
    imageHtml(
      findImage(String(tokens[index]?.attrGet('src'))),
      String(tokens[index]?.content),
      Number(tokens[index]?.attrGet('title') ?? 0) || undefined,
    );
  rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    if (info === 'mermaid') return diagramHtml(content, files);
    const code = highlight(content.trimEnd(), languageNames[info] ?? info);
    return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
  };
  // Whether the current link has no target on the site, such as source code. Then only the text of the link is shown.
  let isPlain = false;
  rules['link_open'] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const isAnchor = token?.attrGet('class') === 'anchor';
    const url = resolveLink(file, decodeURI(String(token?.attrGet('href'))));
    isPlain = url === undefined;
    if (isPlain) return '';
    if (!isAnchor && url) token?.attrSet('href', url);
    return self.renderToken(tokens, index, options);
  };
  rules['link_close'] = () => (isPlain ? '' : '</a>');

  const withoutComments = text.replace(/^<!--.*?-->\n/gm, '');
  // Some images have a width, which Markdown cannot express. So the width becomes the title of the image. The rule `image` above reads it.
  const withImages = withoutComments.replace(
    /<img src="([^"]+)" width="(\d+)" alt="([^"]+)">/g,
    (_tag, source, width, alt) => `![${alt}](${source} "${width}")`,
  );
  const tokens = markdown.parse(withImages, {});
  const { title, body } = withoutTitle(tokens);
  return { title, html: markdown.renderer.render(body, markdown.options, {}), ...outlineOf(body), files };
}

const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/** Separates the first level-1 heading from the rest. */
function withoutTitle(tokens: Token[]): { title: string; body: Token[] } {
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  if (start < 0) return { title: '', body: tokens };
  return { title: textOf(tokens[start + 1]), body: [...tokens.slice(0, start), ...tokens.slice(start + 3)] };
}

/** The headings of a guide, and the plain text below each heading. */
function outlineOf(tokens: Token[]): Pick<RenderedGuide, 'headings' | 'sections'> {
  const headings: PageHeading[] = [];
  const sections = [{ id: '', heading: '', text: '' }];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && /h[23]/.test(token.tag)) {
      const [id, text] = [String(token.attrGet('id')), textOf(tokens[index + 1])];
      headings.push({ level: Number(token.tag.slice(1)), id, text });
      sections.push({ id, heading: text, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text += ` ${textOf(token)}`;
    }
  }
  return { headings, sections };
}
