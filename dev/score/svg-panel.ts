/** A place on the picture, in pixels from its upper left corner. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A frame with its scales: scores from 0 to 100 along, shares from 0 to `shareMax` upwards. */
export interface Panel {
  x: (score: number) => number;
  y: (share: number) => number;
  /** Heading, axes, grid and their words. */
  drawing: string;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Makes a text safe to stand in SVG. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Steps of the share axis that divide what people read easily; the first that needs no more than five of them. */
const niceSteps = [0.01, 0.02, 0.05, 0.1, 0.2];

/** Sets up a panel. `shareMax` is widened to a whole step of its axis. */
export function makePanel(
  { left, top, width, height }: Frame,
  { heading, shareMax, along, upwards }: { heading: string; shareMax: number; along: string; upwards: string },
): Panel {
  const step = niceSteps.find((nice) => shareMax / nice <= 5) ?? 0.2;
  const count = Math.max(1, Math.ceil(round(shareMax / step)));
  const x = (score: number) => round(left + (score / 100) * width);
  const y = (share: number) => round(top + height - (share / (count * step)) * height);
  const rows = Array.from({ length: count + 1 }, (_, index) => index * step).map(
    (share) =>
      `<line class="${share === 0 ? 'axis' : 'grid'}" x1="${left}" x2="${left + width}" y1="${y(share)}" y2="${y(share)}"/>` +
      `<text class="tick" x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${Math.round(share * 100)} %</text>`,
  );
  const columns = [0, 20, 40, 60, 80, 100].map(
    (score) =>
      `<line class="axis" x1="${x(score)}" x2="${x(score)}" y1="${top + height}" y2="${top + height + 5}"/>` +
      `<text class="tick" x="${x(score)}" y="${top + height + 20}" text-anchor="middle">${score}</text>`,
  );
  const middle = top + height / 2;
  const words =
    `<text class="heading" x="${left}" y="${top - 16}">${escapeXml(heading)}</text>` +
    `<text class="label" x="${left + width / 2}" y="${top + height + 42}" text-anchor="middle">${escapeXml(along)}</text>` +
    `<text class="label" transform="translate(${left - 52} ${middle}) rotate(-90)" text-anchor="middle">${escapeXml(upwards)}</text>`;
  return { x, y, drawing: [...rows, ...columns, words].join('\n') };
}
