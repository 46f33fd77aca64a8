import { escapeXml } from './escape-xml';
import { type Box, sizes } from './flow-picture';
import type { Point } from './layout';
import { symbols } from './symbols';
import { textWidth } from './text-size';

function badge(count: number, x: number, y: number): string {
  const words = count.toLocaleString('en');
  const width = Math.max(22, Math.round(textWidth(words, 11) + 14));
  return (
    `<g class="badge"><rect x="${x - width + 9}" y="${y - 10}" width="${width}" height="20" rx="10"/>` +
    `<text x="${x + 9 - width / 2}" y="${y + 4}" text-anchor="middle">${words}</text></g>`
  );
}

function drawEnd({ heading, width, height }: Box): string {
  return (
    `<rect class="end" width="${width}" height="${height}" rx="${height / 2}"/>` +
    `<text class="heading" x="${width / 2}" y="${height / 2 + 5}" text-anchor="middle">${escapeXml(heading)}</text>`
  );
}

function drawBody({ heading, lines, symbol = '', width, height }: Box): string {
  const { boxPadding, lineHeight } = sizes;
  const left = boxPadding + sizes.symbol;
  const texts = lines.map((line, index) => {
    const y = boxPadding + 13 + (index + 1) * lineHeight;
    return `<text${index === 0 ? ' class="sort"' : ''} x="${left}" y="${y}">${escapeXml(line)}</text>`;
  });
  return (
    `<rect class="box" width="${width}" height="${height}" rx="9"/>` +
    `<path class="symbol" transform="translate(${boxPadding - 1} ${boxPadding - 2})" d="${symbols[symbol] ?? ''}"/>` +
    `<text class="heading" x="${left}" y="${boxPadding + 12}">${escapeXml(heading)}</text>${texts.join('')}`
  );
}

/** A step around its middle, with a badge when runs are counted. `stand` is how it stands out, as further classes. */
export function drawBox(box: Box, middle: Point, stand: string, count: number | undefined): string {
  const { kind, good = false, title, width, height } = box;
  const [x, y] = [Math.round(middle.x - width / 2), Math.round(middle.y - height / 2)];
  const round = kind === 'outcome' ? height / 2 + 4 : 12;
  return (
    `<g class="${kind}${good ? ' good' : ''}${stand}" transform="translate(${x} ${y})">` +
    `<title>${escapeXml(title)}</title>${kind === 'outcome' ? drawEnd(box) : drawBody(box)}` +
    (stand.includes('taken') || stand.includes('current')
      ? `<rect class="frame" x="-4" y="-4" width="${width + 8}" height="${height + 8}" rx="${round}"/>`
      : '') +
    `${count === undefined ? '' : badge(count, width, 0)}</g>`
  );
}
