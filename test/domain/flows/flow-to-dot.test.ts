import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import { type DrawingOptions, drawingStyle, flowToDot } from '../../../domain/flows/flow-to-dot';
import { flowLimits } from '../../../domain/flows/flow-limits';
import { companySignerFlow } from '../../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { flows } from '../../../flows';
import { renderDot } from '../../../platform/graphviz';
import { openBrowser } from '../../support/browser';

const all = [...flows, phoneOnlyFlow, whatsappFirstFlow, stepUpFlow, companySignerFlow];

const draw = (flow: FlowDefinition, options?: DrawingOptions) => renderDot(flowToDot(flow, options), drawingStyle);

/** Everything but the style, which is the same for all. */
const bodyOf = (svg: string) => svg.replace(drawingStyle, '');

/** Nodes by their step: classes, and texts in the order of reading. */
function nodesOf(svg: string): Record<string, { classes: string; texts: string[] }> {
  const nodes = svg.matchAll(/<g id="step-([^"]*)" class="node ([^"]*)">([^]*?)<\/g>/g);
  return Object.fromEntries(
    Array.from(nodes, ([, id = '', classes = '', inner = '']) => [
      id,
      { classes, texts: Array.from(inner.matchAll(/<text[^>]*>([^<]*)</g), ([, text = '']) => text) },
    ]),
  );
}

const inBold = (svg: string, classes: string) =>
  Array.from(svg.matchAll(new RegExp(`class="edge ?${classes}">([^]*?)</g>`, 'g')), ([, inner = '']) =>
    Array.from(inner.matchAll(/font-weight="bold"[^>]*>\s*([^<]*?)\s*</g), ([, text]) => text),
  ).flat();

test.each(all.map((flow) => [flow.name, flow] as const))(
  '%s is drawn with each step and its title',
  async (_, flow) => {
    const svg = await draw(flow);
    const nodes = nodesOf(svg);
    expect(Object.keys(nodes).toSorted()).toEqual(Object.keys(flow.steps).toSorted());
    for (const [name, step] of Object.entries(flow.steps))
      expect(nodes[name]?.texts[0]).toBe(step.kind === 'outcome' ? step.outcome : name);
    expect(svg).toContain(`role="img">\n<title>${flow.name} ${flow.version}`);
  },
);

test('counts stand on their steps, also a count of none', async () => {
  const nodes = nodesOf(await draw(phoneOnlyFlow, { counts: { code: 1_240, expired: 0 } }));
  expect(nodes['code']?.texts.slice(0, 2)).toEqual(['code', '1,240']);
  expect(nodes['expired']?.texts).toEqual(['Expired', '0']);
  expect(nodes['blocked']?.texts).toEqual(['Blocked']);
});

test('a path stands out with the exits that it took, and the rest steps back', async () => {
  const path = [{ step: 'question', exit: 'Failed' }, { step: 'sms-code' }];
  const svg = await draw(whatsappFirstFlow, { path, current: 'sms-code' });
  const nodes = nodesOf(svg);
  expect(nodes).toMatchObject({
    question: { classes: 'confirm taken' },
    'sms-code': { classes: 'confirm taken current' },
    'email-code': { classes: 'confirm aside' },
  });
  // The way to the first step, and one arrow.
  expect(svg.match(/class="edge taken"/g)).toHaveLength(2);
  expect(await draw(whatsappFirstFlow)).not.toMatch(/class="[^"]*(taken|aside|current)/);
});

test('of exits that share an arrow, only the one that was taken stands out', async () => {
  const path = [{ step: 'question', exit: 'Failed' }, { step: 'sms-code' }];
  expect(inBold(await draw(whatsappFirstFlow, { path }), 'taken')).toEqual(['Failed']);
  const both = [...path.slice(0, 1), { step: 'sms-code', exit: 'Expired' }, { step: 'email-code' }];
  expect(inBold(await draw(whatsappFirstFlow, { path: both }), 'taken')).toEqual(['Failed', 'Expired']);
});

test('a step that does not exist is drawn as such', async () => {
  const nodes = nodesOf(await draw({ ...phoneOnlyFlow, start: 'nowhere' }));
  expect(nodes['nowhere']).toEqual({ classes: 'missing', texts: ['nowhere', 'No such step'] });
});

test('a DOT text that cannot be read throws, and the next one is drawn', async () => {
  await expect(renderDot('digraph {', '')).rejects.toThrow('syntax error');
  expect(await renderDot('digraph { graph [tooltip="a < b"]; x }', '')).toContain('<title>a &lt; b</title>');
});

test('the most crowded flow that is accepted is drawn without holding up its process', async () => {
  const count = flowLimits.steps - 1;
  const stepOf = (index: number): Step => ({
    kind: 'decide',
    rules: Array.from({ length: flowLimits.rules }, (_, rule) => ({
      when: `score > ${rule}.0`,
      then: `s${(index * 7 + rule * 11 + 3) % count}`,
    })),
    else: 'end',
  });
  const steps = Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, stepOf(index)]));
  const flow: FlowDefinition = {
    name: 'crowded',
    version: 1,
    start: 's0',
    steps: { ...steps, end: { kind: 'outcome', outcome: 'Confirmed' } },
  };
  const since = Date.now();
  expect((await draw(flow)).match(/class="edge"/g)?.length).toBeGreaterThan(700);
  // With curves it would take minutes; the bound leaves room for a busy machine.
  expect(Date.now() - since).toBeLessThan(60_000);
});

const hostile = oneof(
  constantFrom(
    '</text><script>alert(1)</script>',
    '"onload="x',
    ']]>',
    '<!--',
    'a\u0000b',
    '\uD800',
    '{{code}}',
    '__proto__',
  ),
  string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
);

function flowOf([name, title, first = '', outcome, when]: readonly string[]): FlowDefinition {
  const end = `${first} end`;
  return {
    name: name ?? '',
    version: 1,
    title: title ?? '',
    start: first,
    steps: Object.fromEntries([
      [first, { kind: 'decide', rules: [{ when: when ?? '', then: end }], else: first }],
      [end, { kind: 'outcome', outcome: outcome ?? '' }],
    ]),
  };
}

describe('in a browser', () => {
  test('no text of a flow becomes more than text, and nothing is fetched or run', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.setContent('<body></body>');
      await assert(
        asyncProperty(array(hostile, { minLength: 5, maxLength: 5 }), async (texts) => {
          const svg = await draw(flowOf(texts));
          expect(bodyOf(svg)).not.toMatch(/<script|<a[\s>]|<image|<use|href|url\(|\son\w+=/i);
          const elements = await page.evaluate((text) => {
            // oxlint-disable-next-line typescript/no-explicit-any -- the page's own world
            const { DOMParser } = globalThis as any;
            const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
            return [...parsed.querySelectorAll('*')].map((element: { nodeName: string }) => element.nodeName);
          }, svg);
          expect(elements).not.toContain('parsererror');
          const known = ['svg', 'title', 'style', 'g', 'path', 'polygon', 'ellipse', 'text'];
          expect(elements.filter((element) => !known.includes(element))).toEqual([]);
        }),
        { numRuns: 60 },
      );
      expect(asked).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test.each(['light', 'dark'] as const)(
    'words stay inside their boxes and are read well on %s',
    async (colorScheme) => {
      const browser = await openBrowser();
      try {
        const page = await browser.newPage({ colorScheme });
        for (const flow of all) {
          await page.setContent(await draw(flow));
          const outside = await page.evaluate(() => {
            // oxlint-disable-next-line typescript/no-explicit-any -- the page's own world
            const { document } = globalThis as any;
            const boxes = [...document.querySelectorAll('.flow-drawing .node:not(.start)')];
            return boxes.flatMap(
              (box: { querySelector: (s: string) => Bounded; querySelectorAll: (s: string) => Iterable<Bounded> }) => {
                const frame = box.querySelector('path').getBoundingClientRect();
                return [...box.querySelectorAll('text')]
                  .filter((text) => text.getBoundingClientRect().right > frame.right - 4)
                  .map((text) => text.textContent);
              },
            );
            interface Bounded {
              textContent: string;
              getBoundingClientRect: () => { right: number };
            }
          });
          expect(outside).toEqual([]);
        }
      } finally {
        await browser.close();
      }
    },
  );
});
