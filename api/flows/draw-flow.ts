import { instance, type Viz } from '@viz-js/viz';
import type { FlowDefinition } from '../../domain/flows/definition';
import { type DrawingOptions, drawSvg } from './draw-svg';
import { pictureOf } from './flow-picture';
import { dotOf, readLayout } from './layout';

let graphviz: Promise<Viz> | undefined;

/** Placing a hundred steps takes a tenth of a second in which nothing else is answered, and counts move nothing. */
const placedMost = 100;
const placed = new Map<string, string>();

async function place(dot: string): Promise<string> {
  graphviz ??= instance();
  const found = placed.get(dot) ?? (await graphviz).renderString(dot, { engine: 'dot', format: 'json0' });
  // The last in the map is what was asked for last.
  placed.delete(dot);
  placed.set(dot, found);
  for (const oldest of placed.keys()) if (placed.size > placedMost) placed.delete(oldest);
  return found;
}

/**
 * A flow as SVG: boxes by kind of step, arrows by exit. `counts` stand as badges on their steps; with a `path`, the steps
 * and ways that were taken stand out and the others step back; `current` is where a run is now. The SVG has no script, no
 * reference to anything outside, and colours of its own for light and dark. Needs no check: a faulty flow is drawn as it
 * stands, with what it names and does not have.
 */
export async function drawFlow(flow: FlowDefinition, options: DrawingOptions = {}): Promise<string> {
  const picture = pictureOf(flow);
  try {
    return drawSvg(flow, picture, readLayout(await place(dotOf(picture)), picture), options);
  } catch (error) {
    // An instance that has failed once may stay broken.
    graphviz = undefined;
    throw error;
  }
}
