import { escapeXml } from './escape-xml';
import { type Line, sizes } from './flow-picture';
import type { PlacedLine, Point } from './layout';

const lineHeight = sizes.labelHeight;

const round = (value: number) => Math.round(value * 10) / 10;
const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;

/** The head of an arrow: from the end of its curve to its tip. */
function headOf(end: Point, tip: Point): string {
  const length = Math.hypot(tip.x - end.x, tip.y - end.y) || 1;
  const side = { x: ((tip.y - end.y) / length) * 4, y: (-(tip.x - end.x) / length) * 4 };
  return `M${at({ x: end.x + side.x, y: end.y + side.y })}L${at(tip)}L${at({ x: end.x - side.x, y: end.y - side.y })}Z`;
}

/** An arrow without its label. `stand` is how it stands out, as further classes. */
export function drawWay({ title }: Line, { curve, tip }: PlacedLine, stand: string): string {
  const [first, ...rest] = curve;
  if (!first) return '';
  return (
    `<g class="line${stand}">${title === '' ? '' : `<title>${escapeXml(title)}</title>`}` +
    `<path class="way" d="M${at(first)}C${rest.map(at).join(' ')}"/>` +
    `<path class="tip" d="${headOf(rest.at(-1) ?? first, tip)}"/></g>`
  );
}

/** What stands at an arrow. To be drawn above all arrows: none may cross it out. */
export function drawLabel({ lines, title }: Line, { label }: PlacedLine, stand: string): string {
  if (!label || lines.length === 0) return '';
  const top = label.y - (lines.length * lineHeight) / 2 + 11;
  const words = lines.map((text, index) => {
    const y = round(top + index * lineHeight);
    return `<text class="label" x="${round(label.x)}" y="${y}" text-anchor="middle">${escapeXml(text)}</text>`;
  });
  return `<g class="line${stand}"><title>${escapeXml(title)}</title>${words.join('')}</g>`;
}
