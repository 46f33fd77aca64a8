import type { FlowDefinition } from '../../domain/flows/definition';
import { drawBox } from './draw-box';
import { drawingStyle } from './drawing-style';
import { drawLabel, drawWay } from './draw-line';
import type { FlowPicture } from './flow-picture';
import type { Layout } from './layout';
import { escapeXml } from './escape-xml';
import { textWidth } from './text-size';

export interface DrawingOptions {
  /** Runs by step. */
  counts?: Readonly<Record<string, number>>;
  /** Steps that a run has entered, in order. */
  path?: readonly string[];
  /** The step at which a run is. */
  current?: string;
}

const margin = 24;
const head = 64;

/** A picture with its places as SVG. Every text of the flow is escaped here, and stands nowhere but in texts. */
export function drawSvg(
  flow: FlowDefinition,
  { boxes, lines }: FlowPicture,
  layout: Layout,
  { counts = {}, path, current }: DrawingOptions,
): string {
  const name = `${flow.name} ${flow.version}`;
  const about = flow.title ?? '';
  const words = Math.max(textWidth(name, 19), textWidth(about, 12));
  const width = Math.ceil(Math.max(layout.width, words) + 2 * margin);
  const height = Math.ceil(layout.height + head + margin);
  const taken = new Set(path?.map((to, index) => `${index === 0 ? '' : path[index - 1]} ${to}`));
  const standOf = (isTaken: boolean) => (path === undefined ? '' : isTaken ? ' taken' : ' aside');
  const left = (width - layout.width) / 2;
  const { start } = layout;
  const placed = lines.map((line, index) => {
    const stand = standOf(taken.has(`${line.from ?? ''} ${line.to}`));
    return [line, layout.lines[index] ?? { curve: [], tip: start }, stand] as const;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="flow-drawing" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(about ? `${name}: ${about}` : name)}</title>`,
    `<style>${drawingStyle}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    `<text class="name" x="${margin}" y="34">${escapeXml(name)}</text>`,
    `<text x="${margin}" y="53">${escapeXml(about)}</text>`,
    `<g transform="translate(${left} ${head})">`,
    `<circle class="start${standOf((path?.length ?? 0) > 0)}" cx="${start.x}" cy="${start.y}" r="6"/>`,
    ...placed.map(([line, place, stand]) => drawWay(line, place, stand)),
    ...boxes.map((box, index) => {
      const stand = standOf(path?.includes(box.step) ?? false) + (box.step === current ? ' current' : '');
      return drawBox(box, layout.boxes[index] ?? { x: 0, y: 0 }, stand, counts[box.step]);
    }),
    ...placed.map(([line, place, stand]) => drawLabel(line, place, stand)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
