import { instance, type Viz } from '@viz-js/viz';
import type { FlowDefinition } from '../../domain/flows/definition';
import { type DrawingOptions, drawSvg } from './draw-svg';
import { pictureOf } from './flow-picture';
import { dotOf, readLayout } from './layout';

let graphviz: Promise<Viz> | undefined;

/**
 * A flow as SVG: boxes by kind of step, arrows by exit. `counts` stand as badges on their steps; with a `path`, the steps
 * and ways that were taken stand out and the others step back; `current` is where a run is now. The SVG has no script, no
 * reference to anything outside, and colours of its own for light and dark. Needs no check: a faulty flow is drawn as it
 * stands, with what it names and does not have.
 */
export async function drawFlow(flow: FlowDefinition, options: DrawingOptions = {}): Promise<string> {
  graphviz ??= instance();
  const picture = pictureOf(flow);
  try {
    const placed = (await graphviz).renderString(dotOf(picture), { engine: 'dot', format: 'json0' });
    return drawSvg(flow, picture, readLayout(placed, picture), options);
  } catch (error) {
    // An instance that has failed once may stay broken.
    graphviz = undefined;
    throw error;
  }
}
