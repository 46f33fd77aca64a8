import type { FlowPicture } from './flow-picture';

/** In pixels from the upper left corner. */
export interface Point {
  x: number;
  y: number;
}

export interface PlacedLine {
  /** A start, and three points for each piece of the curve. */
  curve: readonly Point[];
  tip: Point;
  /** Middle of its label. */
  label?: Point;
}

/** Where the parts of a picture stand, in the order of the picture. */
export interface Layout {
  width: number;
  height: number;
  /** Middle of the dot at which the run begins. */
  start: Point;
  /** Middle of each box. */
  boxes: readonly Point[];
  lines: readonly PlacedLine[];
}

/**
 * How much care a drawing takes, by how many lines it has: curves around boxes cost seconds where there are hundreds of
 * them. Straight lines stay below one second for the largest flow that is accepted, then without labels.
 */
const cares = [
  { lines: 80, graph: 'splines=true', labels: true },
  { lines: 200, graph: 'splines=line nslimit=1 nslimit1=1 mclimit=0.3', labels: true },
  { lines: Infinity, graph: 'splines=line nslimit=1 nslimit1=1 mclimit=0.3', labels: false },
] as const;

const inches = (pixels: number) => (pixels / 72).toFixed(4);

/**
 * A picture as DOT, the language of Graphviz. It holds sizes and numbers of parts alone: no text of a flow ever stands in
 * it, so there is nothing to escape.
 */
export function dotOf({ boxes, lines }: FlowPicture): string {
  const idOf = (step: string | undefined) =>
    step === undefined ? 'start' : `b${boxes.findIndex((box) => box.step === step)}`;
  const isEnd = (step: string) => boxes.some((box) => box.step === step && box.kind === 'outcome');
  const { graph, labels } = cares.find((care) => lines.length <= care.lines) ?? cares[2];
  const ends = boxes.flatMap(({ kind }, index) => (kind === 'outcome' ? [`b${index};`] : []));
  return [
    'digraph {',
    `graph [rankdir=TB nodesep=0.42 ranksep=0.42 ${graph}];`,
    'node [shape=box fixedsize=true label=""]; edge [arrowsize=0.8];',
    'start [shape=circle width=0.1667 height=0.1667];',
    ...boxes.map(({ width, height }, index) => `b${index} [width=${inches(width)} height=${inches(height)}];`),
    ...(ends.length > 1 ? [`{ rank=sink; ${ends.join(' ')} }`] : []),
    ...lines.map(({ from, to, width, height }, index) => {
      const room = `<<table border="0" fixedsize="true" width="${width}" height="${height}"><tr><td></td></tr></table>>`;
      // What leads on is kept straighter than what ends.
      const weight = isEnd(to) ? 1 : 6;
      return `${idOf(from)} -> ${idOf(to)} [id=l${index} weight=${weight}${labels && width > 0 ? ` label=${room}` : ''}];`;
    }),
    '}',
  ].join('\n');
}

interface Placed {
  bb: string;
  /** Groups of equal rank are among them, and have no place. */
  objects: readonly { name: string; pos?: string }[];
  edges: readonly { id: string; pos: string; lp?: string }[];
}

/** Reads what Graphviz answers to `dotOf` in its format json0. */
export function readLayout(json: string, picture: FlowPicture): Layout {
  const placed = JSON.parse(json) as Placed;
  const [, , width = 0, height = 0] = placed.bb.split(',').map(Number);
  const point = (pair: string): Point => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return { x, y: height - y };
  };
  const middles = new Map(
    placed.objects.flatMap(({ name, pos }) => (pos === undefined ? [] : [[name, point(pos)] as const])),
  );
  const edges = new Map(placed.edges.map((edge) => [edge.id, edge]));
  const middleOf = (name: string) => middles.get(name) ?? { x: 0, y: 0 };
  return {
    width,
    height,
    start: middleOf('start'),
    boxes: picture.boxes.map((_, index) => middleOf(`b${index}`)),
    lines: picture.lines.map((_, index) => {
      const edge = edges.get(`l${index}`);
      const parts = edge?.pos.split(' ') ?? [];
      const curve = parts.filter((part) => !/^[es],/.test(part)).map(point);
      const tip = parts.find((part) => part.startsWith('e,'))?.slice(2);
      const end = curve.at(-1) ?? { x: 0, y: 0 };
      return { curve, tip: tip === undefined ? end : point(tip), ...(edge?.lp ? { label: point(edge.lp) } : {}) };
    }),
  };
}
