import { renderMermaidSVG } from 'beautiful-mermaid';

const schemes = {
  light: { bg: '#ffffff', fg: '#1c2330', line: '#525c6b', accent: '#155e4b', muted: '#525c6b', border: '#7d8795' },
  dark: { bg: '#191f28', fg: '#e8ebf0', line: '#a9b2bf', accent: '#7fd6bc', muted: '#a9b2bf', border: '#7b8595' },
};

/** The SVG of a Mermaid diagram, for one color scheme. The SVG imports no font, because a browser loads no fonts for an image. */
export const drawDiagram = (source: string, scheme: keyof typeof schemes): string =>
  renderMermaidSVG(source, { ...schemes[scheme], font: 'system-ui' }).replace(/^\s*@import .*$/m, '');
