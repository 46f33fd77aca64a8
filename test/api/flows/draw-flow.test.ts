import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import { drawFlow } from '../../../api/flows/draw-flow';
import { drawingStyle } from '../../../api/flows/drawing-style';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import { flowLimits } from '../../../domain/flows/flow-limits';
import { companySignerFlow } from '../../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { flows } from '../../../flows';
import { openBrowser } from '../../support/browser';

const all = [...flows, phoneOnlyFlow, whatsappFirstFlow, stepUpFlow, companySignerFlow];

/** Everything but the style, which is the same for all. */
const bodyOf = (svg: string) => svg.replace(drawingStyle, '');

test.each(all.map((flow) => [flow.name, flow] as const))(
  '%s is drawn with each step, inside its frame',
  async (_, flow) => {
    const svg = await drawFlow(flow);
    for (const [name, step] of Object.entries(flow.steps)) {
      const heading = step.kind === 'outcome' ? step.outcome : name;
      expect(svg).toMatch(new RegExp(`<text class="heading"[^>]*>${heading}</text>`));
    }
    const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
    const places = [...svg.matchAll(/<g class="(?!line)[^"]*" transform="translate\((-?\d+) (-?\d+)\)"/g)];
    expect(places).toHaveLength(Object.keys(flow.steps).length);
    for (const [, x, y] of places) {
      expect(Number(x)).toBeGreaterThanOrEqual(-1);
      expect(Number(y)).toBeGreaterThanOrEqual(-1);
      expect(Number(x)).toBeLessThan(width);
      expect(Number(y)).toBeLessThan(height);
    }
  },
);

test('counts stand on their steps, also a count of none', async () => {
  const svg = await drawFlow(phoneOnlyFlow, { counts: { code: 1_240, expired: 0 } });
  expect([...svg.matchAll(/<g class="badge">.*?<text[^>]*>([^<]*)</g)].map(([, count]) => count)).toEqual([
    '1,240',
    '0',
  ]);
});

test('a path stands out with the ways between its steps, and the rest steps back', async () => {
  const svg = await drawFlow(whatsappFirstFlow, { path: ['question', 'sms-code'], current: 'sms-code' });
  const boxes = [...svg.matchAll(/<g class="(confirm|outcome)([^"]*)" [^>]*><title>([^<]*)/g)];
  const standing = Object.fromEntries(boxes.map(([, , stand, title]) => [title?.split('\n')[0], stand?.trim()]));
  expect(standing).toMatchObject({ question: 'taken', 'sms-code': 'taken current', 'email-code': 'aside' });
  // The beginning and one arrow, the latter once more as its label.
  expect(svg.match(/class="line taken"/g)).toHaveLength(3);
  expect(await drawFlow(whatsappFirstFlow)).not.toMatch(/class="[^"]*(taken|aside|current)/);
});

test('a step that does not exist is drawn as such', async () => {
  const svg = await drawFlow({ ...phoneOnlyFlow, start: 'nowhere' });
  expect(svg).toMatch(/class="missing".*nowhere/);
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
  expect((await drawFlow(flow)).match(/class="way"/g)?.length).toBeGreaterThan(700);
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
          const svg = await drawFlow(flowOf(texts));
          expect(bodyOf(svg)).not.toMatch(/<script|<a[\s>]|<image|<use|href|url\(|\son\w+=/i);
          const elements = await page.evaluate((text) => {
            // oxlint-disable-next-line typescript/no-explicit-any -- the page's own world
            const { DOMParser } = globalThis as any;
            const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
            return [...parsed.querySelectorAll('*')].map((element: { nodeName: string }) => element.nodeName);
          }, svg);
          expect(elements).not.toContain('parsererror');
          const known = ['svg', 'title', 'style', 'rect', 'text', 'g', 'circle', 'path'];
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
          await page.setContent(await drawFlow(flow));
          const outside = await page.evaluate(() => {
            // oxlint-disable-next-line typescript/no-explicit-any -- the page's own world
            const { document } = globalThis as any;
            const boxes = [...document.querySelectorAll('.flow-drawing g g:not(.line):not(.badge)')];
            return boxes.flatMap(
              (box: { querySelector: (s: string) => Bounded; querySelectorAll: (s: string) => Iterable<Bounded> }) => {
                const frame = box.querySelector('rect').getBoundingClientRect();
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
